import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { formatTable } from '../print-table.ts';
import type { Output } from '../run-users-command.ts';
import { asJson } from '../write-json.ts';
import { describeReport } from './describe-report.ts';
import type { ReportsCommand } from './read-reports-command.ts';
import { report, reportPage } from './report.ts';

/** Runs the command and prints its result. Throws an OperatorError if the service refuses. */
export async function runReportsCommand(
  service: ServiceConnection,
  command: ReportsCommand,
  { stdout }: Output,
): Promise<void> {
  const call = async (name: string, values: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { data, error } = await service.client.rpc(name, values);
    if (error) throw new OperatorError(`${service.url} refused: ${error.message}`);
    return data;
  };
  switch (command.name) {
    case 'list': {
      const { withClosed, page, perPage } = command;
      const found = await call('list_reports', {
        with_closed_param: withClosed,
        page_param: page,
        per_page_param: perPage,
      });
      const { reports, total } = v.parse(reportPage, found);
      if (command.json) return void stdout.write(asJson({ reports, total }));
      if (total === 0) return void stdout.write('There are no open reports.\n');
      const rows = reports.map(({ id, kind, qr_id, repeats, reported_by, created_at, closed_at }) => [
        id,
        reported_by === null ? 'page' : 'finder',
        kind,
        qr_id,
        String(repeats + 1),
        created_at,
        closed_at === null ? 'open' : 'closed',
      ]);
      stdout.write(formatTable(['ID', 'ABOUT', 'KIND', 'TAG CODE', 'TIMES', 'REPORTED', 'STATE'], rows));
      return void stdout.write(`\nPage ${page} of ${Math.max(1, Math.ceil(total / perPage))}; reports: ${total}\n`);
    }
    case 'show': {
      const shown = v.parse(v.nullable(report), await call('show_report', { report_id_param: command.id }));
      if (shown === null) throw new OperatorError(`No report has the id ${command.id}.`);
      return void stdout.write(command.json ? asJson(shown) : describeReport(shown, service.url));
    }
    case 'close': {
      if (!v.parse(v.boolean(), await call('close_report', { report_id_param: command.id }))) {
        throw new OperatorError(`No open report has the id ${command.id}.`);
      }
      return void stdout.write(command.json ? asJson({ closed: command.id }) : `Closed ${command.id}.\n`);
    }
  }
}

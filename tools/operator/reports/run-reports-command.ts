import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { formatTable } from '../print-table.ts';
import type { Output } from '../run-users-command.ts';
import { asJson } from '../write-json.ts';
import { describeReport } from './describe-report.ts';
import type { ReportsCommand } from './read-reports-command.ts';
import { report, reportPage } from './report.ts';

const REFUSED = ['void', 'finder', 'unclaimed', 'changed_hands', 'unknown'] as const;
/** Why a page was not taken down; null where it was. */
const REFUSALS: Readonly<Record<(typeof REFUSED)[number] | 'taken_down', string | null>> = {
  taken_down: null,
  void: 'All codes of the item are already void.',
  finder: 'The report is about a finder, not about a page.',
  unclaimed: 'The tag code no longer belongs to an account, so there is no page.',
  changed_hands:
    'The tag code belonged to another account when it was reported. Check the page. "stickers void" closes it too.',
  unknown: 'No report has this id.',
};

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
      return void stdout.write(command.json ? asJson(shown) : describeReport(shown, service.publicUrl));
    }
    case 'take-down': {
      const { id, reason, json } = command;
      const outcome = await call('take_page_down', { report_id_param: id, reason_param: reason });
      const problem = REFUSALS[v.parse(v.picklist(['taken_down', ...REFUSED]), outcome)];
      if (problem !== null) throw new OperatorError(problem);
      const done = `The page is down. Its owner gets an email with your reason. "reports put-back ${id}" undoes it.\n`;
      return void stdout.write(json ? asJson({ takenDown: id }) : done);
    }
    case 'put-back': {
      if (!v.parse(v.boolean(), await call('put_page_back', { report_id_param: command.id }))) {
        throw new OperatorError(`No page is down by the report ${command.id}.`);
      }
      return void stdout.write(command.json ? asJson({ putBack: command.id }) : 'The page is back.\n');
    }
    case 'close': {
      if (!v.parse(v.boolean(), await call('close_report', { report_id_param: command.id }))) {
        throw new OperatorError(`No open report has the id ${command.id}.`);
      }
      return void stdout.write(command.json ? asJson({ closed: command.id }) : `Closed ${command.id}.\n`);
    }
  }
}

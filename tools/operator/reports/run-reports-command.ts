import * as v from 'valibot';
import { isUuid } from '#server/is-uuid.ts';
import { OperatorError } from '#server/operator-error.ts';
import { formatTable } from '../print-table.ts';
import {
  type Call,
  pageLine,
  readOptions,
  readPage,
  readText,
  readWord,
  refuseWords,
  VOID_REASON_LENGTH,
} from '../read-options.ts';
import { UsageError } from '../usage-error.ts';
import { asJson } from '../write-json.ts';
import { describeReport } from './describe-report.ts';
import { report, reportPage } from './report.ts';

const OPTIONS = {
  list: { all: 'boolean', page: 'string', 'per-page': 'string', json: 'boolean' },
  show: { json: 'boolean' },
  close: { json: 'boolean' },
  'take-down': { reason: 'string', json: 'boolean' },
  'put-back': { json: 'boolean' },
} as const;

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

export async function runReportsCommand(call: Call): Promise<void> {
  const { name, flags, texts, words } = readOptions(OPTIONS, call);
  const json = flags.has('json');
  const { stdout } = call;
  const page = readPage(texts);
  const id = readId(name, words);
  const reason = readText('reason', texts.get('reason'), VOID_REASON_LENGTH);
  if (name === 'take-down' && reason === null) {
    throw new UsageError('Add a --reason. The owner of the page reads it.');
  }
  const service = await call.connect();
  const request = async (name: string, values: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { data, error } = await service.client.rpc(name, values);
    if (error) throw new OperatorError(`${service.url} refused: ${error.message}`);
    return data;
  };
  const about = { report_id_param: id };
  switch (name) {
    case 'list': {
      const found = await request('list_reports', {
        with_closed_param: flags.has('all'),
        page_param: page.page,
        per_page_param: page.perPage,
      });
      const { reports, total } = v.parse(reportPage, found);
      if (json) return void stdout.write(asJson({ reports, total }));
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
      return void stdout.write(pageLine(page, 'reports', total));
    }
    case 'show': {
      const shown = v.parse(v.nullable(report), await request('show_report', about));
      if (shown === null) throw new OperatorError(`No report has the id ${id}.`);
      return void stdout.write(json ? asJson(shown) : describeReport(shown, service.publicUrl));
    }
    case 'take-down': {
      const outcome = await request('take_page_down', { ...about, reason_param: reason });
      const problem = REFUSALS[v.parse(v.picklist(['taken_down', ...REFUSED]), outcome)];
      if (problem !== null) throw new OperatorError(problem);
      const done = `The page is down. Its owner gets an email with your reason. "reports put-back ${id}" undoes it.\n`;
      return void stdout.write(json ? asJson({ takenDown: id }) : done);
    }
    case 'put-back': {
      if (!v.parse(v.boolean(), await request('put_page_back', about))) {
        throw new OperatorError(`No page is down by the report ${id}.`);
      }
      return void stdout.write(json ? asJson({ putBack: id }) : 'The page is back.\n');
    }
    case 'close': {
      if (!v.parse(v.boolean(), await request('close_report', about))) {
        throw new OperatorError(`No open report has the id ${id}.`);
      }
      return void stdout.write(json ? asJson({ closed: id }) : `Closed ${id}.\n`);
    }
  }
}

/** Null for the list, which is about no single report. */
function readId(name: keyof typeof OPTIONS, words: readonly string[]): string | null {
  const message = `reports ${name} takes one report: its id.`;
  if (name === 'list') {
    refuseWords(words, 'reports list takes no arguments.');
    return null;
  }
  const id = readWord(words, message);
  if (!isUuid(id)) throw new UsageError(message);
  return id;
}

import { formatTable, printable } from '../print-table.ts';
import type { Report } from './report.ts';

/** Formats one report for the terminal, with the words below it, line by line. */
export function describeReport(report: Report, url: string): string {
  const { id, kind, qr_id, body, created_at, closed_at, repeats } = report;
  const fields = [
    ['KIND', kind],
    ...(report.reported_by === null
      ? [['ABOUT', 'a page'], ['PAGE', `${url}/item/${qr_id}`], ...accountsOf(report)]
      : finderOf(report)),
    ['REPORTED', created_at],
    ...(repeats > 0 ? [['REPEATED', `${repeats} times, with the same words or others that are not kept`]] : []),
    ['CLOSED', closed_at ?? '–'],
    ...(report.taken_down_at === null ? [] : [['TAKEN DOWN', report.taken_down_at]]),
  ];
  const words = (body ?? '').split('\n').map((line) => `> ${printable(line)}\n`);
  return formatTable(['ID', id], fields) + (body === null ? '' : `\n${words.join('')}`);
}

/** Nothing names a finder. The account is not the reported one, but the one that reports. */
function finderOf({ qr_id, reported_by, conversation_id }: Report): string[][] {
  return [
    ['ABOUT', 'a finder'],
    ['CONVERSATION', conversation_id ?? 'deleted'],
    ['TAG CODE', qr_id],
    ['REPORTED BY', reported_by ?? '–'],
  ];
}

/** A tag code can have changed hands since the report: then the account that has it now is not the reported one. */
function accountsOf({ owner_then: then, owner_id: now }: Report): string[][] {
  if (then === now) return [['ACCOUNT', now ?? '–']];
  return [
    ['ACCOUNT THEN', then ?? 'deleted or not recorded'],
    ['ACCOUNT NOW', now ?? '–'],
  ];
}

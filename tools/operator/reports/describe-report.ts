import { formatTable, printable } from '../print-table.ts';
import type { Report } from './report.ts';

/** Formats one report for the terminal, with the finder's words below it, line by line. */
export function describeReport(report: Report, url: string): string {
  const { id, kind, qr_id, body, created_at, closed_at, repeats } = report;
  const fields = [
    ['KIND', kind],
    ['PAGE', `${url}/item/${qr_id}`],
    ...accountsOf(report),
    ['REPORTED', created_at],
    ...(repeats > 0 ? [['REPEATED', `${repeats} times, with the same words or others that are not kept`]] : []),
    ['CLOSED', closed_at ?? '–'],
  ];
  const words = (body ?? '').split('\n').map((line) => `> ${printable(line)}\n`);
  return formatTable(['ID', id], fields) + (body === null ? '' : `\n${words.join('')}`);
}

/** A tag code can have changed hands since the report: then the account that has it now is not the reported one. */
function accountsOf({ owner_then: then, owner_id: now }: Report): string[][] {
  if (then === now) return [['ACCOUNT', now ?? '–']];
  return [
    ['ACCOUNT THEN', then ?? 'deleted or not recorded'],
    ['ACCOUNT NOW', now ?? '–'],
  ];
}

import { formatTable, printable } from '../print-table.ts';
import type { Report } from './report.ts';

/** Formats one report for the terminal, with the finder's words below it, line by line. */
export function describeReport(report: Report, url: string): string {
  const { id, kind, qr_id, body, created_at, closed_at, owner_id } = report;
  const fields = [
    ['KIND', kind],
    ['PAGE', `${url}/item/${qr_id}`],
    ['ACCOUNT', owner_id ?? '–'],
    ['REPORTED', created_at],
    ['CLOSED', closed_at ?? '–'],
  ];
  const words = (body ?? '').split('\n').map((line) => `> ${printable(line)}\n`);
  return formatTable(['ID', id], fields) + (body === null ? '' : `\n${words.join('')}`);
}

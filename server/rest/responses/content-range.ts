import { rangeNotSatisfiable } from '../errors.ts';

/** Formats a range: `0-4/5`, or `0-4/*` where the rows were not counted. Without rows the range is `*`. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const range = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${range}/${total ?? '*'}`;
}

/** Returns 206 where a counted page is incomplete. Throws PGRST103 for a page that begins after the end. */
export function pageStatus(offset: number, rows: number, total: number | null): 200 | 206 {
  if (total === null) return 200;
  if (offset > total) {
    throw rangeNotSatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
      'Content-Range': `*/${total}`,
    });
  }
  return rows < total ? 206 : 200;
}

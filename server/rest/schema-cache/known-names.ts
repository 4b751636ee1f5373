import type { ApiRole } from '#server/postgres/caller.ts';
import type { Columns } from './schema.ts';

/** Whether the role has any right to a table or a view, so that an error may name it unasked. */
export function isKnown({ columns }: Columns, role: ApiRole): boolean {
  return [...columns.values()].some(({ knownTo }) => knownTo.has(role));
}

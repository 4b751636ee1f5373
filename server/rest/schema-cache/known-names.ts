import type { ApiRole } from '#server/postgres/caller.ts';
import type { Columns } from './schema.ts';

/** Whether the role has any permission on a relation, so that error messages may name it. */
export function isKnown({ columns }: Columns, role: ApiRole): boolean {
  return [...columns.values()].some(({ knownTo }) => knownTo.has(role));
}

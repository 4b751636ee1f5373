import type { ApiRole } from '#server/postgres/caller.ts';
import type { PostgresError } from '#server/postgres/sqlstate.ts';
import { isKnown } from './schema-cache/known-names.ts';
import type { Schema } from './schema-cache/schema.ts';

/** Who asked for what, so that an error names only what they know. */
export interface Asker {
  readonly role: ApiRole;
  /** The table, the view or the function that the request named. */
  readonly name: string;
  /** Undefined where the request did not come so far. */
  readonly schema: Schema | undefined;
}

/** What PostgreSQL's messages say with the names left out. */
const NAMELESS: Readonly<Record<string, string>> = {
  '23001': 'update or delete violates a RESTRICT setting of a foreign key constraint',
  '23502': 'null value violates a not-null constraint',
  '23503': 'a foreign key constraint is violated',
  '23505': 'duplicate key value violates a unique constraint',
  '23514': 'value violates a check constraint',
  '23P01': 'conflicting key value violates an exclusion constraint',
  '42501': 'permission denied',
};

/**
 * PostgreSQL's message, without its names where one of them is nothing that the asker knows: a constraint of a column to
 * which they have no right (constraints are named after their columns), a table that a trigger, a function or a foreign
 * key has led to.
 */
export function knownMessage(said: PostgresError, asker: Asker): string {
  const nameless = NAMELESS[said.code];
  if (nameless === undefined) return said.message;
  const known = said.code === '42501' ? knowsWhatIsForbidden(said, asker) : knowsConstraint(said, asker);
  return known ? said.message : nameless;
}

function knowsConstraint({ message, schemaName, table, column, constraint }: PostgresError, asker: Asker): boolean {
  const { role, schema } = asker;
  if (schema === undefined || schemaName !== schema.name) return false;
  // What a type wants of its values is no column's.
  if (table === null) return true;
  const relation = schema.relations.get(table);
  const own = column === null ? relation?.constraints.get(constraint ?? '') : relation?.columns.get(column)?.knownTo;
  const others = [...message.matchAll(/(?:table|relation) "([^"]*)"/g)].map(([, name = '']) => name);
  return own?.has(role) === true && others.every((name) => knowsTable(name, asker));
}

/** `permission denied for table parcels`; `new row violates row-level security policy for table "parcels"`. */
function knowsWhatIsForbidden({ message }: PostgresError, asker: Asker): boolean {
  const name = / for \w+ "?([^"]+)"?$/.exec(message)?.[1];
  return name === undefined || name === asker.name || knowsTable(name, asker);
}

function knowsTable(name: string, { role, schema }: Asker): boolean {
  const relation = schema?.relations.get(name);
  return relation !== undefined && isKnown(relation, role);
}

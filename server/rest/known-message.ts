import type { ApiRole } from '#server/postgres/caller.ts';
import type { PostgresError } from '#server/postgres/sqlstate.ts';
import { isKnown } from './schema-cache/known-names.ts';
import type { Schema } from './schema-cache/schema.ts';

/** The caller and the requested name, so that an error names only what the caller knows. */
export interface Requester {
  readonly role: ApiRole;
  /** The table, view or function named in the request. */
  readonly name: string;
  /** Undefined where the request failed before its schema was known. */
  readonly schema: Schema | undefined;
}

/** PostgreSQL's messages without their names. */
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
 * Returns PostgreSQL's message, or a version without names where it names something unknown to the caller: a constraint
 * on a column they have no permission for (constraints are named after columns), or any table but the requested one,
 * which a trigger, a function, or a foreign key reached.
 */
export function knownMessage(failure: PostgresError, requester: Requester): string {
  const nameless = NAMELESS[failure.code];
  if (nameless === undefined) return failure.message;
  const known =
    failure.code === '42501' ? knowsWhatIsForbidden(failure, requester) : knowsConstraint(failure, requester);
  return known ? failure.message : nameless;
}

function knowsConstraint(
  { message, schemaName, table, column, constraint }: PostgresError,
  requester: Requester,
): boolean {
  const { role, schema } = requester;
  if (schema === undefined || schemaName !== schema.name) return false;
  // The constraint belongs to a domain type and names no column.
  if (table === null) return true;
  if (table !== requester.name) return false;
  const relation = schema.relations.get(table);
  const own = column === null ? relation?.constraints.get(constraint ?? '') : relation?.columns.get(column)?.knownTo;
  const others = [...message.matchAll(/(?:table|relation) "([^"]*)"/g)].map(([, name = '']) => name);
  return own?.has(role) === true && others.every((name) => knowsTable(name, requester));
}

/**
 * Matches `permission denied for table parcels` and `new row violates row-level security policy for table "parcels"`.
 */
function knowsWhatIsForbidden({ message }: PostgresError, requester: Requester): boolean {
  const name = / for \w+ "?([^"]+)"?$/.exec(message)?.[1];
  return name === undefined || name === requester.name || knowsTable(name, requester);
}

function knowsTable(name: string, { role, schema }: Requester): boolean {
  const relation = schema?.relations.get(name);
  return relation !== undefined && isKnown(relation, role);
}

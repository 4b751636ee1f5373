import type { Condition } from './parse-filter.ts';
import type { TableColumn } from './published-tables.ts';

const CANONICAL_UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * The JSON form that PostgreSQL gives a filter's value, where that is plain without asking it: a uuid as it writes
 * them, and any text. Undefined where only PostgreSQL can tell. A page's usual filter costs no statement by this.
 */
export function canonicalForm({ type }: TableColumn, { operator, value }: Condition): unknown {
  if (operator !== 'eq' && operator !== 'in') return undefined;
  const values = typeof value === 'string' ? [value] : value;
  const plain = type === 'text' || (type === 'uuid' && values.every((one) => CANONICAL_UUID.test(one)));
  return plain ? value : undefined;
}

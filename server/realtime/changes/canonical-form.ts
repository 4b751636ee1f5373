import type { Condition } from './parse-filter.ts';
import type { TableColumn } from './published-tables.ts';

const CANONICAL_UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Returns the JSON form that PostgreSQL gives a filter's value, where it is known without a query: text, and a uuid in
 * canonical form. Returns undefined otherwise. A typical filter thus needs no statement.
 */
export function canonicalForm({ type }: TableColumn, { operator, value }: Condition): unknown {
  if (operator !== 'eq' && operator !== 'in') return undefined;
  const values = typeof value === 'string' ? [value] : value;
  const plain = type === 'text' || (type === 'uuid' && values.every((one) => CANONICAL_UUID.test(one)));
  return plain ? value : undefined;
}

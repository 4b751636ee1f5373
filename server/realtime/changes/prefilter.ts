import type { BoundCondition } from './filter-sql.ts';

/** A row as received with a change. */
export type ChangedRow = Readonly<Record<string, unknown>>;

/**
 * Returns false only where PostgreSQL would too, so that most changes need no query for readers who are filtered out.
 */
export type Prefilter = (row: ChangedRow) => boolean;

/**
 * Builds the test that needs no database: equality on columns whose JSON form decides it. `canonical` holds the JSON
 * form of each condition's value, as PostgreSQL writes it (`{ABC…}` and `abc…` are one uuid).
 */
export function prefilterOf(filter: readonly BoundCondition[], canonical: readonly unknown[]): Prefilter {
  const tests: Prefilter[] = [];
  filter.forEach(({ column: { name, exact }, condition: { operator, negated } }, index) => {
    if (!exact || negated) return;
    const value = canonical[index];
    if (operator === 'eq') tests.push((row) => row[name] === value);
    if (operator === 'in' && Array.isArray(value)) {
      const wanted = new Set<unknown>(value);
      tests.push((row) => wanted.has(row[name]));
    }
  });
  return (row) => tests.every((passes) => passes(row));
}

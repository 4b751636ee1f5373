import type { BoundCondition } from './filter-sql.ts';

/** A row as it came with a change. */
export type ChangedRow = Readonly<Record<string, unknown>>;

/** Says false only where PostgreSQL would too, so that most changes cost the wrong reader no query. */
export type Prefilter = (row: ChangedRow) => boolean;

/**
 * Makes the test that needs no database: equality on columns whose JSON form tells it. `canonical` holds, for each
 * condition, the JSON form that PostgreSQL gave its value (`{ABC…}` and `abc…` are one uuid).
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

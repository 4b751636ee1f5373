import type { Statement } from '#server/postgres/statement.ts';
import type { CallPlan } from './call-plan.ts';
import { copiedRowSql } from './field-sql.ts';
import { Parameters } from './parameters.ts';
import { type ReadNode, ROW_FIELD, TARGET } from './read-node.ts';
import { type ReadOptions, readStatement } from './read-statement.ts';
import type { Writing } from './rows-sql.ts';

/** Calls a function once and selects from its rows as from a table. */
export function callRowsStatement(
  { called: { result }, callSql }: CallPlan,
  values: readonly unknown[],
  node: ReadNode,
  settings: Pick<Writing, 'mostRows' | 'aggregates'>,
  { count, form }: ReadOptions,
): { readonly statement: Statement; readonly fields: readonly string[] } {
  const parameters = new Parameters();
  // The placeholders of the call come first.
  for (const value of values) parameters.add(value);
  const [column] = node.relation.columns.values();
  const isValues = result.kind === 'scalar';
  const selected = () => {
    if (isValues && column !== undefined) return `${TARGET} as ${column.sql}`;
    return node.used.has(ROW_FIELD) ? `${TARGET}.*, ${copiedRowSql(node.relation)}` : `${TARGET}.*`;
  };
  const whole = isValues && node.items.length === 1 && node.items[0]?.kind === 'all';
  return readStatement(
    node,
    { parameters, mostRows: settings.mostRows, aggregates: settings.aggregates },
    {
      source: 'called',
      // Rows and count come from one call: a second one could return other rows or repeat side effects.
      prelude: () => `with called as materialized (select ${selected()} from ${callSql} as ${TARGET}) `,
    },
    { count, form: form !== null && form.kind === 'rows' && whole ? { ...form, kind: 'values' } : form },
  );
}

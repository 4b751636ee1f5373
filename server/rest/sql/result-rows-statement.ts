import type { Statement } from '#server/postgres/statement.ts';
import type { Query } from '../grammar/tree.ts';
import type { Column, StoredFunction } from '../schema-cache/schema.ts';
import type { CallPlan } from './call-plan.ts';
import { TARGET } from './field-sql.ts';
import { Parameters } from './parameters.ts';
import { type ReadOptions, selectStatement } from './relation-statements.ts';

/** Calls a function once and answers from its rows as from a table's. A set of plain values has no columns to name. */
export function resultRowsStatement(
  { called, callSql }: CallPlan,
  values: readonly unknown[],
  query: Query,
  options: ReadOptions,
): Statement {
  const parameters = new Parameters();
  // The call's own placeholders come first.
  for (const value of values) parameters.add(value);
  const plain = called.result.kind === 'scalar';
  return selectStatement(
    { name: called.name, columns: columnsOf(called) },
    {
      source: 'called',
      // Counted and read from one call: a second one could answer differently, or act twice.
      prelude: `with called as materialized (select ${TARGET}${plain ? ' as value' : '.*'} from ${callSql} as ${TARGET}) `,
      parameters,
      wholeRow: plain ? `to_json(${TARGET}.value)` : undefined,
    },
    query,
    options,
  );
}

const NO_COLUMNS: ReadonlyMap<string, Column> = new Map();

function columnsOf({ result }: StoredFunction): ReadonlyMap<string, Column> {
  return result.kind === 'composite' ? result.columns : NO_COLUMNS;
}

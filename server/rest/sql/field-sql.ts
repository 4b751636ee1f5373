import { columnNotFound } from '../errors.ts';
import type { FieldPath } from '../grammar/tree.ts';
import type { Column, Columns } from '../schema-cache/schema.ts';
import type { Parameters } from './parameters.ts';

/** Every statement names its table so: columns of a request's own record can then never be meant by mistake. */
export const TARGET = 'target';

function columnOf(relation: Columns, name: string): Column {
  const column = relation.columns.get(name);
  if (column === undefined) throw columnNotFound(relation.name, name);
  return column;
}

/** A column, or the way into its JSON; a column of another type is seen as JSON first, as PostgREST does. */
export function fieldSql(relation: Columns, path: FieldPath, parameters: Parameters): string {
  const column = columnOf(relation, path.column);
  let sql = `${TARGET}.${column.sql}`;
  if (path.steps.length === 0) return sql;
  if (column.type !== 'json' && column.type !== 'jsonb') sql = `to_jsonb(${sql})`;
  for (const { arrow, key } of path.steps) {
    sql = `(${sql} ${arrow} ${parameters.add(key)}::${typeof key === 'number' ? 'int' : 'text'})`;
  }
  return sql;
}

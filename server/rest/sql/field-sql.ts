import { columnNotFound } from '../errors.ts';
import type { FieldPath } from '../grammar/tree.ts';
import type { Column } from '../schema-cache/schema.ts';
import type { Parameters } from './parameters.ts';
import type { ReadNode } from './read-node.ts';

/** Returns a node's column, qualified with the node's alias. */
export function columnSql({ alias, used }: Pick<ReadNode, 'alias' | 'used'>, column: Column): string {
  used.add(column);
  return `${alias}.${column.sql}`;
}

/** Returns a column or a JSON path into it. As in PostgREST, a column of another type is converted to JSON first. */
export function fieldSql(node: ReadNode, { column: name, steps }: FieldPath, parameters: Parameters): string {
  const { relation, alias } = node;
  const column = relation.columns.get(name);
  const computed = column === undefined ? relation.computed.get(name) : undefined;
  if (column === undefined && computed === undefined) throw columnNotFound(relation.name, name);
  let sql = column === undefined ? `${computed}(${alias})` : columnSql(node, column);
  if (steps.length === 0) return sql;
  if (column?.type !== 'json' && column?.type !== 'jsonb') sql = `to_jsonb(${sql})`;
  for (const { arrow, key } of steps) {
    sql = `(${sql} ${arrow} ${parameters.add(key)}::${typeof key === 'number' ? 'int' : 'text'})`;
  }
  return sql;
}

import { columnNotFound } from '../errors.ts';
import type { FieldPath } from '../grammar/tree.ts';
import type { Column, Columns } from '../schema-cache/schema.ts';
import type { Parameters } from './parameters.ts';
import { type ReadNode, ROW_FIELD, TARGET } from './read-node.ts';

/** Returns a node's column, qualified with the node's alias. */
export function columnSql({ alias, used }: Pick<ReadNode, 'alias' | 'used'>, column: Column): string {
  used.add(column);
  return `${alias}.${column.sql}`;
}

/** Returns the whole row of a node, as its functions take it. The star keeps a column with the alias's name out. */
export function wholeRowSql({ relation, alias, used }: Pick<ReadNode, 'relation' | 'alias' | 'used'>): string {
  if (relation.copied !== true) return `${alias}.*`;
  used.add(ROW_FIELD);
  return `${alias}.${ROW_FIELD}`;
}

/** Returns what a change or a call selects as `ROW_FIELD`: the cast keeps the star from becoming the row's columns. */
export function copiedRowSql({ rowType }: Columns): string {
  return `${TARGET}.*::${rowType} as ${ROW_FIELD}`;
}

/** Returns a column or a JSON path into it. As in PostgREST, a column of another type is converted to JSON first. */
export function fieldSql(node: ReadNode, { column: name, steps }: FieldPath, parameters: Parameters): string {
  const { relation } = node;
  const column = relation.columns.get(name);
  const computed = column === undefined ? relation.computed.get(name) : undefined;
  if (column === undefined && computed === undefined) throw columnNotFound(relation.name, name);
  let sql = column === undefined ? `${computed}(${wholeRowSql(node)})` : columnSql(node, column);
  if (steps.length === 0) return sql;
  if (column?.type !== 'json' && column?.type !== 'jsonb') sql = `to_jsonb(${sql})`;
  for (const { arrow, key } of steps) {
    sql = `(${sql} ${arrow} ${parameters.add(key)}::${typeof key === 'number' ? 'int' : 'text'})`;
  }
  return sql;
}

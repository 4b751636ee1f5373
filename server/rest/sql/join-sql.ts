import type { JoinedColumns } from '../schema-cache/schema.ts';
import { columnSql, wholeRowSql } from './field-sql.ts';
import type { Embed, ReadNode } from './read-node.ts';

export interface Join {
  /** The `from` clause. */
  readonly from: string;
  /** Conditions that tie an embedded row to its parent. */
  readonly conditions: readonly string[];
}

/** Returns the source of an embedded relation's rows and the conditions that tie them to a row of `parent`. */
export function joinSql(parent: ReadNode, { relationship: { via }, target, node }: Embed): Join {
  const { alias } = node;
  if (via.kind === 'function') return { from: `${via.sql}(${wholeRowSql(parent)}) as ${alias}`, conditions: [] };
  const from = `${target.sql} as ${alias}`;
  if (via.kind === 'columns') return { from, conditions: toParent(via.columns, alias) };
  const junction = `${alias}_junction`;
  const far = via.far.map((joined) => `${junction}.${joined.from.sql} = ${alias}.${joined.to.sql}`);
  return {
    from: `${from} join ${via.junction.sql} as ${junction} on ${far.join(' and ')}`,
    conditions: toParent(via.near, junction),
  };

  function toParent(columns: readonly JoinedColumns[], child: string): string[] {
    return columns.map((joined) => `${child}.${joined.to.sql} = ${columnSql(parent, joined.from)}`);
  }
}

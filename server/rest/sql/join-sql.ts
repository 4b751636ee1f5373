import type { JoinedColumns } from '../schema-cache/schema.ts';
import { columnSql } from './field-sql.ts';
import type { Embed, ReadNode } from './read-node.ts';

export interface Join {
  /** What stands after `from`. */
  readonly from: string;
  /** What ties an embedded row to the row that it is embedded in. */
  readonly conditions: readonly string[];
}

/** Where the rows of an embedded relation stand, and which of them belong to a row of `parent`. */
export function joinSql(parent: ReadNode, { relationship: { via }, target, node }: Embed): Join {
  const { alias } = node;
  if (via.kind === 'function') return { from: `${via.sql}(${parent.alias}) as ${alias}`, conditions: [] };
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

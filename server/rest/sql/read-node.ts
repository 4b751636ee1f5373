import type { SelectItem, Shape } from '../grammar/tree.ts';
import type { Column, Columns, Relation, Relationship } from '../schema-cache/schema.ts';

/** The alias of the target in every statement, which keeps it apart from columns of the request body's record. */
export const TARGET = 'target';

/** The field of a changed row, or of a row from a function, that is the whole row. No relation has such a column. */
export const ROW_FIELD = '"reunite.row"';

/**
 * What is read of one relation: the requested one or an embedded one. Contains no text from the request in SQL
 * positions.
 */
export interface ReadNode extends Shape {
  readonly relation: Columns;
  /** Its alias in the statement. */
  readonly alias: string;
  readonly items: readonly NodeItem[];
  readonly embeds: readonly Embed[];
  /** The columns that the statement reads, and whether it reads whole rows; filled while it is built. */
  readonly used: Set<Column | typeof ROW_FIELD>;
}

export type FieldItem = Extract<SelectItem, { kind: 'field' }>;
export type NodeItem = { readonly kind: 'all' } | FieldItem | { readonly kind: 'embed'; readonly embed: Embed };

export interface Embed {
  /** The resulting field: its alias, or the relation as named in the request. */
  readonly name: string;
  readonly requested: string;
  readonly relationship: Relationship;
  readonly target: Relation;
  /** Rows without an embedded row are left out. */
  readonly inner: boolean;
  readonly spread: boolean;
  readonly node: ReadNode;
}

/** Whether at most one row is embedded, as an object. */
export function isToOne({ relationship: { cardinality } }: Embed): boolean {
  return cardinality === 'many-to-one' || cardinality === 'one-to-one';
}

/** Returns the embedded relation that a filter or an order names. */
export function findEmbed({ embeds }: Pick<ReadNode, 'embeds'>, name: string): Embed | undefined {
  return embeds.find((embed) => embed.name === name) ?? embeds.find((embed) => embed.requested === name);
}

/**
 * Whether the item is `count` without such a column: PostgREST's older form of `count()`, which is allowed without the
 * setting for aggregates.
 */
export function isPlainCount({ columns, computed }: Columns, { path, aggregate }: FieldItem): boolean {
  const { column, steps } = path;
  return (
    column === 'count' && aggregate === null && steps.length === 0 && !columns.has(column) && !computed.has(column)
  );
}

/** Whether the shape limits the rows that match the conditions. */
export function isPage({ limit, offset }: Shape): boolean {
  return limit !== null || offset > 0;
}

/**
 * Whether rows are aggregated, by own fields or by fields of spread relations. The other fields are the grouping key.
 */
export function isGrouped({ relation, items }: ReadNode): boolean {
  return items.some((item) => {
    if (item.kind === 'field') return item.aggregate !== null || isPlainCount(relation, item);
    return item.kind === 'embed' && item.embed.spread && isToOne(item.embed) && isGrouped(item.embed.node);
  });
}

import type { SelectItem, Shape } from '../grammar/tree.ts';
import type { Column, Columns, Relation, Relationship } from '../schema-cache/schema.ts';

/** Every statement names its table so: columns of a request's own record can then never be meant by mistake. */
export const TARGET = 'target';

/** What is read of one relation: the request's own, or one that is embedded. Nothing here is a word of the request's. */
export interface ReadNode extends Shape {
  readonly relation: Columns;
  /** The name that the statement has for it. */
  readonly alias: string;
  readonly items: readonly NodeItem[];
  readonly embeds: readonly Embed[];
  /** Columns that the statement reads of it; filled while it is written. */
  readonly used: Set<Column>;
}

export type FieldItem = Extract<SelectItem, { kind: 'field' }>;
export type NodeItem = { readonly kind: 'all' } | FieldItem | { readonly kind: 'embed'; readonly embed: Embed };

export interface Embed {
  /** The field that it becomes: its alias, or the relation as the request named it. */
  readonly name: string;
  readonly requested: string;
  readonly relationship: Relationship;
  readonly target: Relation;
  /** Rows without it are left out. */
  readonly inner: boolean;
  readonly spread: boolean;
  readonly node: ReadNode;
}

/** At most one row is embedded, as an object. */
export function isToOne({ relationship: { cardinality } }: Embed): boolean {
  return cardinality === 'many-to-one' || cardinality === 'one-to-one';
}

/** The embedded relation that a name in a filter or an order means. */
export function findEmbed({ embeds }: Pick<ReadNode, 'embeds'>, name: string): Embed | undefined {
  return embeds.find((embed) => embed.name === name) ?? embeds.find((embed) => embed.requested === name);
}

/** `count` where no column is called so: PostgREST's older way to write `count()`, which needs no permission. */
export function isPlainCount({ columns, computed }: Columns, { path, aggregate }: FieldItem): boolean {
  const { column, steps } = path;
  return (
    column === 'count' && aggregate === null && steps.length === 0 && !columns.has(column) && !computed.has(column)
  );
}

/** Not all rows that meet the conditions. */
export function isPage({ limit, offset }: Shape): boolean {
  return limit !== null || offset > 0;
}

/** Rows are counted, summed up or the like, also by fields of what is spread in them; the other fields say by what. */
export function isGrouped({ relation, items }: ReadNode): boolean {
  return items.some((item) => {
    if (item.kind === 'field') return item.aggregate !== null || isPlainCount(relation, item);
    return item.kind === 'embed' && item.embed.spread && isToOne(item.embed) && isGrouped(item.embed.node);
  });
}

import type { ApiRole } from '#server/postgres/caller.ts';
import { notEmbedded, tooComplex } from '../errors.ts';
import type { EmbeddedShape, Query, SelectItem, Shape } from '../grammar/tree.ts';
import type { Columns } from '../schema-cache/schema.ts';
import { findRelationship } from './find-relationship.ts';
import { type Embed, findEmbed, type NodeItem, type ReadNode, TARGET } from './read-node.ts';

/** More embedded relations than any screen needs; each costs PostgreSQL planning time. */
const MOST_EMBEDS = 30;
const NO_SHAPE: Shape = { conditions: [], order: [], limit: null, offset: 0 };

export interface PlanContext {
  readonly schema: string;
  readonly role: ApiRole;
}

/**
 * Resolves the embedded relations of a select list, each with its own filters, order and page. Throws PGRST200 and
 * PGRST201 for what cannot be embedded, and PGRST108 for a parameter of a relation that is not embedded.
 */
export function planRead(relation: Columns, query: Query, context: PlanContext): ReadNode {
  let embedCount = 0;

  const nodeOf = (
    origin: Columns,
    alias: string,
    select: readonly SelectItem[],
    shape: Shape,
    inside: readonly EmbeddedShape[],
  ): ReadNode => {
    const items = select.map(
      (item): NodeItem =>
        item.kind === 'relation' ? { kind: 'embed', embed: embedOf(origin, item, select, inside) } : item,
    );
    const embeds = items.flatMap((item) => (item.kind === 'embed' ? [item.embed] : []));
    const { conditions, order, limit, offset } = shape;
    return { relation: origin, alias, items, embeds, conditions, order, limit, offset, used: new Set() };
  };

  const embedOf = (
    origin: Columns,
    item: Extract<SelectItem, { kind: 'relation' }>,
    siblings: readonly SelectItem[],
    inside: readonly EmbeddedShape[],
  ): Embed => {
    embedCount += 1;
    if (embedCount > MOST_EMBEDS) throw tooComplex(`It embeds more than ${MOST_EMBEDS} relations.`);
    const alias = `embedded_${embedCount}`;
    const hint = item.hints.find((word) => word !== 'inner' && word !== 'left') ?? null;
    const asked = { relation: item.relation, hint };
    const relationship = findRelationship(origin, asked, context.schema, context.role);
    const target = relationship.target();
    const name = item.alias ?? item.relation;
    const mine = inside.filter(({ path: [first = ''] }) => embedNamed(siblings, first) === item);
    const shape = mine.find(({ path }) => path.length === 1) ?? NO_SHAPE;
    const deeper = mine.flatMap((one) => (one.path.length > 1 ? [{ ...one, path: one.path.slice(1) }] : []));
    const node = nodeOf(target, alias, item.select, shape, deeper);
    requireEmbedded(node, deeper);
    const { relation: requested, hints, spread } = item;
    return { name, requested, relationship, target, inner: hints.includes('inner'), spread, node };
  };

  const root = nodeOf(relation, TARGET, query.select, query, query.embedded);
  requireEmbedded(root, query.embedded);
  return root;
}

/** Returns the columns of rows that a change or a function returned. */
export function asCopiedRows(columns: Columns): Columns {
  return { ...columns, copied: true };
}

function embedNamed(select: readonly SelectItem[], name: string): SelectItem | undefined {
  const relations = select.filter((item) => item.kind === 'relation');
  return (
    relations.find(({ alias, relation }) => (alias ?? relation) === name) ??
    relations.find(({ relation }) => relation === name)
  );
}

function requireEmbedded(node: ReadNode, shapes: readonly EmbeddedShape[]): void {
  for (const { path } of shapes) {
    const [first = ''] = path;
    if (findEmbed(node, first) === undefined) throw notEmbedded(first);
  }
}

import type { ApiRole } from '#server/postgres/caller.ts';
import { closestName } from '../closest-name.ts';
import { relationshipAmbiguous, relationshipNotFound } from '../errors.ts';
import { isKnown } from '../schema-cache/known-names.ts';
import type { Columns, JoinedColumns, Relationship } from '../schema-cache/schema.ts';

export interface Asked {
  readonly relation: string;
  /** The hint after the exclamation mark, other than `inner` and `left`. */
  readonly hint: string | null;
}

/**
 * Returns the one relationship that `relation!hint(…)` means in rows of `origin`. Throws PGRST200 where there is none
 * and PGRST201 where there are several. The errors name only what the role knows.
 */
export function findRelationship(origin: Columns, asked: Asked, schema: string, role: ApiRole): Relationship {
  const fitting = origin.relationships.filter((relationship) => fits(origin, relationship, asked));
  const [only, ...others] = fitting;
  if (only === undefined) {
    const targets = origin.relationships.map(({ target }) => target()).filter((target) => isKnown(target, role));
    const meant = closestName(
      asked.relation,
      targets.map(({ name }) => name),
    );
    throw relationshipNotFound(origin.name, asked.relation, asked.hint, schema, meant);
  }
  if (others.length === 0) return only;
  const known = fitting.filter((relationship) =>
    columnsOf(relationship).every(({ from, to }) => from.knownTo.has(role) && to.knownTo.has(role)),
  );
  throw relationshipAmbiguous(
    origin.name,
    asked.relation,
    known.map((relationship) => ({
      cardinality: relationship.cardinality,
      embedding: `${origin.name} with ${relationship.target().name}`,
      relationship: describe(origin, relationship),
      hint: relationship.via.kind === 'junction' ? relationship.via.junction.name : relationship.name,
    })),
  );
}

/** PostgREST's rules: a target is a relation, a foreign key or its column; a hint is a key, a column or a junction. */
function fits(origin: Columns, relationship: Relationship, { relation, hint }: Asked): boolean {
  const { name, via, cardinality } = relationship;
  const target = relationship.target();
  if (via.kind === 'function') return relation === name;
  if (target.columns === origin.columns) {
    // A self-referencing key gives two relationships. The table's name means the rows that refer to this one.
    const single = via.kind === 'columns' && via.columns.length === 1 ? via.columns[0] : undefined;
    if (cardinality === 'many-to-one') return hint === null && single?.from.name === relation;
    return cardinality === 'one-to-many' && relation === target.name && (hint === null || single?.to.name === hint);
  }
  if (hint === null) {
    if (relation === target.name) return true;
    if (relationship.toView) return false;
    return via.kind === 'columns' && (relation === name || singleColumns(via.columns)?.from.name === relation);
  }
  if (relation !== target.name) return false;
  if (via.kind === 'junction') return hint === via.junction.name;
  const single = singleColumns(via.columns);
  return hint === name || hint === single?.from.name || hint === single?.to.name;
}

function singleColumns(columns: readonly JoinedColumns[]): JoinedColumns | undefined {
  return columns.length === 1 ? columns[0] : undefined;
}

function columnsOf({ via }: Relationship): readonly JoinedColumns[] {
  if (via.kind === 'function') return [];
  return via.kind === 'columns' ? via.columns : [...via.near, ...via.far];
}

function describe(origin: Columns, { name, via, target }: Relationship): string {
  const list = (columns: readonly JoinedColumns[], side: 'from' | 'to') =>
    `(${columns.map((column) => column[side].name).join(', ')})`;
  if (via.kind === 'function') return name;
  if (via.kind === 'columns') {
    return `${name} using ${origin.name}${list(via.columns, 'from')} and ${target().name}${list(via.columns, 'to')}`;
  }
  return `${via.junction.name} using ${name}`;
}

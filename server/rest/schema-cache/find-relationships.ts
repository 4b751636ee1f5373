import type { ForeignKeyRow, ViewColumnRow } from './catalogue-rows.ts';
import type { Column, JoinedColumns, Relation, Relationship } from './schema.ts';

/** A table or view of the exposed schema, with its columns by attribute number. */
export interface NumberedRelation {
  readonly id: string;
  readonly relation: Relation;
  readonly columns: ReadonlyMap<number, Column>;
}

/** Where a foreign key's columns are visible: in the table itself, or in a view that contains all of them. */
interface Side {
  readonly relation: Relation;
  readonly columns: readonly Column[];
  readonly isTable: boolean;
}

/** Returns the relationships of each relation, derived from foreign keys. */
export function findRelationships(
  relations: readonly NumberedRelation[],
  foreignKeys: readonly ForeignKeyRow[],
  viewColumns: readonly ViewColumnRow[],
): ReadonlyMap<Relation, readonly Relationship[]> {
  const found = new Map<Relation, Relationship[]>(relations.map(({ relation }) => [relation, []]));
  const originOf = originsOfViewColumns(viewColumns);
  const sides = (table: string, numbers: readonly number[]): Side[] =>
    relations.flatMap(({ id, relation, columns }) => {
      const seen = numbers.map((number) => {
        if (id === table) return columns.get(number);
        return [...columns].find(([own]) => originOf(id, own) === `${table}.${number}`)?.[1];
      });
      const all = seen.filter((column) => column !== undefined);
      return all.length === numbers.length ? [{ relation, columns: all, isTable: id === table }] : [];
    });

  for (const key of foreignKeys) {
    for (const source of sides(key.source, key.source_columns)) {
      for (const referenced of sides(key.referenced, key.referenced_columns)) {
        const columns = joined(source.columns, referenced.columns);
        const one = key.is_unique ? 'one-to-one' : null;
        found.get(source.relation)?.push({
          cardinality: one ?? 'many-to-one',
          name: key.name,
          target: () => referenced.relation,
          toView: !referenced.isTable,
          via: { kind: 'columns', columns },
        });
        found.get(referenced.relation)?.push({
          cardinality: one ?? 'one-to-many',
          name: key.name,
          target: () => source.relation,
          toView: !source.isTable,
          via: { kind: 'columns', columns: columns.map(({ from, to }) => ({ from: to, to: from })) },
        });
      }
    }
  }
  for (const { relation: junction } of relations) {
    for (const [start, relationship] of throughJunction(junction, found.get(junction) ?? [])) {
      found.get(start)?.push(relationship);
    }
  }
  return found;
}

/**
 * Returns the many-to-many relationships through a junction: a table whose primary key contains two foreign keys. Where
 * the key has no other columns, no embedded row is repeated.
 */
function throughJunction(
  junction: Relation,
  relationships: readonly Relationship[],
): readonly (readonly [Relation, Relationship])[] {
  const arms = relationships.flatMap((relationship) => {
    const { cardinality, via } = relationship;
    if (cardinality !== 'many-to-one' || via.kind !== 'columns') return [];
    const inKey = via.columns.every(({ from }) => junction.primaryKey.includes(from.name));
    return inKey ? [{ relationship, columns: via.columns }] : [];
  });
  return arms.flatMap((near) =>
    arms
      .filter((far) => far.relationship.name !== near.relationship.name)
      .map((far) => [
        near.relationship.target(),
        {
          cardinality: 'many-to-many' as const,
          name: `${near.relationship.name} and ${far.relationship.name}`,
          target: far.relationship.target,
          toView: far.relationship.toView,
          via: {
            kind: 'junction' as const,
            junction: { name: junction.name, sql: junction.sql },
            near: near.columns.map(({ from, to }) => ({ from: to, to: from })),
            far: far.columns,
          },
        },
      ]),
  );
}

function joined(from: readonly Column[], to: readonly Column[]): readonly JoinedColumns[] {
  return from.flatMap((column, index) => {
    const other = to[index];
    return other === undefined ? [] : [{ from: column, to: other }];
  });
}

/** Returns a function that resolves a view's column to its table's column, through nested views, as `table.column`. */
function originsOfViewColumns(rows: readonly ViewColumnRow[]) {
  const direct = new Map<string, string | null>();
  for (const { view, column, source, source_column } of rows) {
    const key = `${view}.${column}`;
    // With two origins, neither can be chosen.
    direct.set(key, direct.has(key) ? null : `${source}.${source_column}`);
  }
  return (relation: string, column: number): string => {
    let at = `${relation}.${column}`;
    for (let next = direct.get(at); next !== undefined && next !== null; next = direct.get(at)) at = next;
    return at;
  };
}

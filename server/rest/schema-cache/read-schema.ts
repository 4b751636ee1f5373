import type { ApiRole } from '#server/postgres/caller.ts';
import type { Database } from '#server/postgres/database.ts';
import {
  CONSTRAINTS_QUERY,
  FOREIGN_KEYS_QUERY,
  FUNCTIONS_QUERY,
  RELATIONS_QUERY,
  VIEW_COLUMNS_QUERY,
} from './catalogue-queries.ts';
import type {
  CatalogueColumn,
  ConstraintRow,
  ForeignKeyRow,
  FunctionRow,
  RelationRow,
  ViewColumnRow,
} from './catalogue-rows.ts';
import { findRelationships } from './find-relationships.ts';
import { isKnown } from './known-names.ts';
import type {
  BodyKind,
  CatalogueSql,
  Column,
  Columns,
  FunctionArgument,
  FunctionResult,
  Relation,
  Relationship,
  Schema,
  StoredFunction,
} from './schema.ts';

const ROLES: readonly ApiRole[] = ['anon', 'authenticated', 'service_role'];

/** A relation under construction. */
interface Draft extends Relation {
  relationships: readonly Relationship[];
  readonly computed: Map<string, CatalogueSql>;
  readonly constraints: Map<string, ReadonlySet<ApiRole>>;
}

/** Reads an exposed schema from the catalogue. */
export async function readSchema(database: Database, name: string): Promise<Schema> {
  const [relations, functions, foreignKeys, viewColumns, constraints] = await Promise.all([
    database.asService<RelationRow>({ text: RELATIONS_QUERY, values: [name] }),
    database.asService<FunctionRow>({ text: FUNCTIONS_QUERY, values: [name] }),
    database.asService<ForeignKeyRow>({ text: FOREIGN_KEYS_QUERY }),
    database.asService<ViewColumnRow>({ text: VIEW_COLUMNS_QUERY, values: [name] }),
    database.asService<ConstraintRow>({ text: CONSTRAINTS_QUERY, values: [name] }),
  ]);
  const numbered = relations.rows.map((row) => ({
    id: row.id,
    relation: draft(name, row),
    columns: new Map(row.columns.map((column) => [column.number, columnOf(column)])),
  }));
  const drafts = new Map(numbered.map(({ id, relation }) => [id, relation]));
  const found = findRelationships(numbered, foreignKeys.rows, viewColumns.rows);
  for (const relation of drafts.values()) relation.relationships = found.get(relation) ?? [];
  for (const { id, relation, columns } of numbered) {
    for (const row of constraints.rows) {
      if (row.relation === id) relation.constraints.set(row.name, knownToAll(relation, columns, row.columns));
    }
  }
  for (const row of functions.rows) addComputed(name, row, drafts);

  const byName = new Map<string, StoredFunction[]>();
  for (const row of functions.rows) {
    const stored = storedFunction(name, row, drafts);
    // The name of a function of a row is kept, so that no other is suggested for it.
    if (stored === null && row.arguments.every(({ relation }) => relation === null)) continue;
    const overloads = byName.get(row.name) ?? [];
    if (stored !== null) overloads.push(stored);
    byName.set(row.name, overloads);
  }
  return {
    name,
    relations: new Map(numbered.map(({ relation }) => [relation.name, relation])),
    functions: byName,
  };
}

function draft(schema: string, row: RelationRow): Draft {
  return {
    name: row.name,
    sql: quoteIdentifier(schema, row.name),
    label: quoteIdentifier(row.name),
    columns: columnsByName(row.columns),
    primaryKey: row.primary_key,
    relationships: [],
    computed: new Map(),
    rowType: quoteIdentifier(schema, row.name),
    constraints: new Map(),
  };
}

/** Returns the roles that know all the numbered columns and the relation itself. */
function knownToAll(
  relation: Relation,
  columns: ReadonlyMap<number, Column>,
  numbers: readonly number[],
): ReadonlySet<ApiRole> {
  const all = numbers.map((number) => columns.get(number));
  return new Set(ROLES.filter((role) => isKnown(relation, role) && all.every((column) => column?.knownTo.has(role))));
}

/**
 * Adds a function whose only argument is a row: as a computed column, or as an embeddable relation where it returns
 * rows of one.
 */
function addComputed(schema: string, row: FunctionRow, drafts: ReadonlyMap<string, Draft>): void {
  const [argument, ...others] = row.arguments;
  const owner = drafts.get(argument?.relation ?? '');
  if (owner === undefined || others.length > 0 || row.result_type === 'void') return;
  const sql = quoteIdentifier(schema, row.name);
  const target = drafts.get(row.result_relation ?? '');
  if (target !== undefined) {
    const cardinality = row.returns_set && !row.returns_one_row ? 'one-to-many' : 'many-to-one';
    const via = { kind: 'function', sql } as const;
    owner.relationships = [
      ...owner.relationships,
      { cardinality, name: row.name, target: () => target, toView: false, via },
    ];
  } else if (!row.returns_set) owner.computed.set(row.name, sql);
}

function columnsByName(columns: readonly CatalogueColumn[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [column.name, columnOf(column)]));
}

function columnOf(column: CatalogueColumn): Column {
  return {
    name: column.name,
    sql: quoteIdentifier(column.name),
    type: fromCatalogue(column.type),
    isText: column.category === 'S',
    defaultValue: column.default === null ? null : fromCatalogue(column.default),
    knownTo: rolesOf(column.known_to),
  };
}

/** The queries return only the three roles of ApiRole. */
function rolesOf(names: readonly string[]): ReadonlySet<ApiRole> {
  return new Set(ROLES.filter((role) => names.includes(role)));
}

const BODY_KINDS: ReadonlyMap<string, BodyKind> = new Map([
  ['json', 'json'],
  ['jsonb', 'json'],
  ['text', 'text'],
  ['xml', 'xml'],
  ['bytea', 'bytea'],
]);

/** Returns null for a function that no request can call: one with an unnamed argument or an argument of any type. */
function storedFunction(schema: string, row: FunctionRow, drafts: ReadonlyMap<string, Draft>): StoredFunction | null {
  const inputs = row.arguments.filter(({ mode }) => mode === 'i' || mode === 'b' || mode === 'v');
  const [only, ...others] = inputs;
  const takesBody = only?.name === '' && others.length === 0 ? (BODY_KINDS.get(only.type) ?? null) : null;
  if (takesBody === null && inputs.some(({ name, type }) => name === '' || type === '"any"')) return null;
  return {
    name: row.name,
    sql: quoteIdentifier(schema, row.name),
    readsOnly: row.reads_only,
    arguments: inputs.map(
      (input, index): FunctionArgument => ({
        name: input.name,
        sql: quoteIdentifier(input.name),
        type: fromCatalogue(input.type),
        isText: input.category === 'S',
        // Only the last arguments can have defaults.
        required: index < inputs.length - row.default_count,
        variadic: input.mode === 'v',
        fromJson: input.from_json,
      }),
    ),
    takesBody,
    knownTo: rolesOf(row.known_to),
    result: functionResult(row, drafts),
  };
}

function functionResult(row: FunctionRow, drafts: ReadonlyMap<string, Draft>): FunctionResult {
  const set = row.returns_set;
  if (row.result_type === 'void') return { kind: 'void' };
  if (!row.result_is_composite && row.result_type !== 'record') {
    const json = row.result_type === 'json' || row.result_type === 'jsonb';
    return { kind: 'scalar', set, json, rows: rowsOf(row.name, [plainColumn(row.name, row.result_type)]) };
  }
  const relation = drafts.get(row.result_relation ?? '');
  if (relation !== undefined) return { kind: 'composite', set, rows: relation };
  const outputs = row.arguments.filter(({ mode }) => mode === 'o' || mode === 'b' || mode === 't');
  const columns = row.result_is_composite
    ? row.result_columns
    : outputs.map(({ name, type }) => plainColumn(name, type));
  return { kind: 'composite', set, rows: rowsOf(row.name, columns) };
}

function plainColumn(name: string, type: string): CatalogueColumn {
  return { name, type, category: '', default: null, number: 0, known_to: [] };
}

function rowsOf(name: string, columns: readonly CatalogueColumn[]): Columns {
  return { name, columns: columnsByName(columns), relationships: [], computed: new Map(), rowType: null };
}

/** PostgreSQL prints types and default expressions itself, quoted where needed. */
function fromCatalogue(text: string): CatalogueSql {
  return text as CatalogueSql;
}

/**
 * The only place that turns a name into SQL text. It receives only names of the catalogue: names in requests are looked up in the schema cache and never get here.
 */
function quoteIdentifier(...catalogueNames: readonly string[]): CatalogueSql {
  return catalogueNames.map((name) => `"${name.replaceAll('"', '""')}"`).join('.') as CatalogueSql;
}

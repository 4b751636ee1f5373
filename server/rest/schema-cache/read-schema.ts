import type { Database } from '#server/postgres/database.ts';
import { FUNCTIONS_QUERY, RELATIONS_QUERY } from './catalogue-queries.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type {
  CatalogueSql,
  Column,
  FunctionArgument,
  FunctionResult,
  Relation,
  Schema,
  StoredFunction,
} from './schema.ts';

interface CatalogueColumn {
  readonly name: string;
  readonly type: string;
  /** pg_type.typcategory: S for texts of every kind. Empty where nobody writes to it. */
  readonly category: string;
  readonly default: string | null;
}

interface RelationRow {
  readonly name: string;
  readonly columns: readonly CatalogueColumn[];
  readonly primary_key: readonly string[];
}

interface FunctionRow {
  readonly name: string;
  readonly reads_only: boolean;
  readonly returns_set: boolean;
  readonly result_type: string;
  readonly result_is_composite: boolean;
  readonly result_columns: readonly CatalogueColumn[];
  readonly default_count: number;
  readonly arguments: readonly {
    readonly name: string;
    readonly type: string;
    readonly category: string;
    readonly mode: string;
  }[];
}

/** Reads the exposed schema from the catalogue. */
export async function readSchema(database: Database, name: string): Promise<Schema> {
  const [relations, functions] = await Promise.all([
    database.asService<RelationRow>({ text: RELATIONS_QUERY, values: [name] }),
    database.asService<FunctionRow>({ text: FUNCTIONS_QUERY, values: [name] }),
  ]);
  const byName = new Map<string, StoredFunction[]>();
  for (const row of functions.rows) {
    const stored = storedFunction(name, row);
    if (stored === null) continue;
    const overloads = byName.get(row.name);
    if (overloads === undefined) byName.set(row.name, [stored]);
    else overloads.push(stored);
  }
  return {
    name,
    relations: new Map(relations.rows.map((row) => [row.name, relation(name, row)])),
    functions: byName,
  };
}

function relation(schema: string, row: RelationRow): Relation {
  return {
    name: row.name,
    sql: quoteIdentifier(schema, row.name),
    columns: columnsByName(row.columns),
    primaryKey: row.primary_key,
  };
}

function columnsByName(columns: readonly CatalogueColumn[]): ReadonlyMap<string, Column> {
  return new Map(
    columns.map((column) => [
      column.name,
      {
        name: column.name,
        sql: quoteIdentifier(column.name),
        type: fromCatalogue(column.type),
        isText: column.category === 'S',
        defaultValue: column.default === null ? null : fromCatalogue(column.default),
      },
    ]),
  );
}

/** Null for a function that cannot be called by name: one with an argument that has none, or a variadic one. */
function storedFunction(schema: string, row: FunctionRow): StoredFunction | null {
  const inputs = row.arguments.filter(({ mode }) => mode === 'i' || mode === 'b');
  if (row.arguments.some(({ mode }) => mode === 'v') || inputs.some((input) => input.name === '')) return null;
  const outputs = row.arguments.filter(({ mode }) => mode === 'o' || mode === 'b' || mode === 't');
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
        // Defaults belong to the last arguments.
        required: index < inputs.length - row.default_count,
      }),
    ),
    result: functionResult(row, outputs),
  };
}

function functionResult(row: FunctionRow, outputs: readonly { name: string; type: string }[]): FunctionResult {
  const set = row.returns_set;
  if (row.result_type === 'void') return { kind: 'void' };
  if (row.result_is_composite) return { kind: 'composite', set, columns: columnsByName(row.result_columns) };
  if (row.result_type === 'record') {
    const columns = outputs.map(({ name, type }) => ({ name, type, category: '', default: null }));
    return { kind: 'composite', set, columns: columnsByName(columns) };
  }
  return { kind: 'scalar', set, json: row.result_type === 'json' || row.result_type === 'jsonb' };
}

/** Types and default expressions are printed by PostgreSQL itself, quoted where they must be. */
function fromCatalogue(text: string): CatalogueSql {
  return text as CatalogueSql;
}

import type { Statement } from '#server/postgres/statement.ts';
import { columnNotInCache, notServed } from '../errors.ts';
import type { Query, SelectItem } from '../grammar/tree.ts';
import type { Column, Columns, Relation } from '../schema-cache/schema.ts';
import { whereSql } from './condition-sql.ts';
import { TARGET } from './field-sql.ts';
import { Parameters } from './parameters.ts';
import { orderSql, rowSql } from './row-sql.ts';

/** What every statement of this file answers: rows as one JSON text, how many they are, and how many there are in all. */
export interface RowsAnswer {
  /** A JSON array; null where nobody asked for rows. */
  readonly body: string | null;
  readonly affected: number;
  readonly total: number | null;
}

/** More rows than this are never sent at once; a client pages. */
const MOST_ROWS = 1_000;

export interface RowSource {
  /** What stands after `from`. */
  readonly source: string;
  /** Those that the source or the prelude already has. */
  readonly parameters?: Parameters;
  /** `with … `, which the source refers to. */
  readonly prelude?: string;
  /** A row as JSON, where it is not that of its columns. */
  readonly wholeRow?: string | undefined;
}

export interface ReadOptions {
  /** Counts all rows that fit, whatever the page. */
  readonly count: boolean;
  /** A HEAD request wants the counts alone. */
  readonly rows: boolean;
}

/** Rows of a table, a view or a function's result: `source` says where they stand. */
export function selectStatement(
  relation: Columns,
  { source, parameters = new Parameters(), prelude = '', wholeRow }: RowSource,
  query: Query,
  { count, rows }: ReadOptions,
): Statement {
  const row = rowSql(relation, query.select, parameters, wholeRow);
  const from = `from ${source} as ${TARGET}${whereSql(relation, query.conditions, parameters)}`;
  const order = orderSql(relation, query.order, parameters);
  const limit = parameters.add(Math.min(query.limit ?? MOST_ROWS, MOST_ROWS));
  const page = `select ${row} as row ${from}${order} limit ${limit} offset ${parameters.add(query.offset)}`;
  const total = count ? `(select count(*) ${from})` : 'null';
  const body = rows ? `coalesce(json_agg(page.row), '[]')::text` : 'null';
  return parameters.statement(
    `${prelude}select ${body} as body, count(*)::int as affected, ${total}::int as total from (${page}) as page`,
  );
}

export interface Insertion {
  /** The body as it came, known to be a JSON object or an array of objects. */
  readonly body: string;
  readonly isArray: boolean;
  readonly columns: readonly string[];
  /** A key that an object lacks is the column's default instead of null. */
  readonly missingIsDefault: boolean;
  /** The fields to answer with; null for none. */
  readonly returning: readonly SelectItem[] | null;
}

export function insertStatement(relation: Relation, insertion: Insertion): Statement {
  const parameters = new Parameters();
  const columns = insertion.columns.map((name) => knownColumn(relation, name));
  const body = `${parameters.add(insertion.body)}::json`;
  const elements = insertion.isArray ? `json_array_elements(${body})` : `(select ${body})`;
  const values = columns.map((column) => insertedValue(column, insertion.missingIsDefault, parameters));
  // Without a column every row is made of defaults.
  const into = columns.length === 0 ? '' : ` (${columns.map(({ sql }) => sql).join(', ')})`;
  const given = columns.length === 0 ? '' : `, json_to_record(element.value) as given (${recordType(columns)})`;
  const insert = `insert into ${relation.sql} as ${TARGET}${into}
    select ${values.join(', ')} from ${elements} as element (value)${given}`;
  return withReturning(relation, insert, insertion.returning, parameters);
}

function insertedValue({ name, sql, defaultValue }: Column, missingIsDefault: boolean, parameters: Parameters): string {
  if (!missingIsDefault) return `given.${sql}`;
  const key = `${parameters.add(name)}::text`;
  return `case when element.value::jsonb ? ${key} then given.${sql} else ${defaultValue ?? 'null'} end`;
}

export interface Change {
  readonly query: Query;
  readonly returning: readonly SelectItem[] | null;
}

export function updateStatement(
  relation: Relation,
  { query, returning, body, columns }: Change & { readonly body: string; readonly columns: readonly string[] },
): Statement {
  const parameters = new Parameters();
  const changed = columns.map((name) => knownColumn(relation, name));
  const given = `json_to_record(${parameters.add(body)}::json) as given (${recordType(changed)})`;
  const set = changed.map(({ sql }) => `${sql} = given.${sql}`).join(', ');
  const update = `update ${relation.sql} as ${TARGET} set ${set} from ${given}${whereSql(relation, query.conditions, parameters)}`;
  return withReturning(relation, update, returning, parameters);
}

export function deleteStatement(relation: Relation, { query, returning }: Change): Statement {
  const parameters = new Parameters();
  const where = whereSql(relation, query.conditions, parameters);
  return withReturning(relation, `delete from ${relation.sql} as ${TARGET}${where}`, returning, parameters);
}

/** A change may be answered with the rows that it made; a limit on a change would leave open which rows it means. */
export function refuseLimitedChange(query: Query): void {
  if (query.limit !== null || query.offset > 0) {
    throw notServed('This server does not limit an update or a delete; filter by a key instead.');
  }
}

/** Without rows the statement returns no column at all, so that it needs no right to read any. */
function withReturning(
  relation: Relation,
  change: string,
  returning: readonly SelectItem[] | null,
  parameters: Parameters,
): Statement {
  const row = returning === null ? '1' : rowSql(relation, returning, parameters);
  const body = returning === null ? 'null' : `coalesce(json_agg(changed.row), '[]')::text`;
  return parameters.statement(
    `with changed (row) as (${change} returning ${row})
     select ${body} as body, count(*)::int as affected, null::int as total from changed`,
  );
}

function knownColumn(relation: Relation, name: string): Column {
  const column = relation.columns.get(name);
  if (column === undefined) throw columnNotInCache(name, relation.name);
  return column;
}

function recordType(columns: readonly Column[]): string {
  return columns.map(({ sql, type }) => `${sql} ${type}`).join(', ');
}

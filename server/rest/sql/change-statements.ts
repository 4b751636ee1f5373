import type { Statement } from '#server/postgres/statement.ts';
import { columnNotInCache } from '../errors.ts';
import type { Column, Relation } from '../schema-cache/schema.ts';
import { whereSql } from './condition-sql.ts';
import { copiedRowSql } from './field-sql.ts';
import { isGrouped, isPage, type ReadNode, ROW_FIELD, TARGET } from './read-node.ts';
import { type BodyForm, bodySql, RESPONSE_SETTINGS } from './response-sql.ts';
import { rowsSql, type Writing } from './rows-sql.ts';

/** What a change returns: nothing, the key of its first row, or its rows as a node that reads the common table expression `changed`. */
export type Returning =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'key' }
  | { readonly kind: 'rows'; readonly node: ReadNode; readonly form: BodyForm };

export interface ChangeStatement {
  readonly statement: Statement;
  /** The field names of the returned rows. */
  readonly fields: readonly string[];
}

export interface Insertion {
  /** The body as received, a JSON object or an array of objects. */
  readonly body: string;
  readonly isArray: boolean;
  readonly columns: readonly string[];
  /** A missing key means the column's default instead of null. */
  readonly missingIsDefault: boolean;
  /** How to handle a conflicting row; null raises an error. */
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  /** The columns that define a conflict; null for the primary key. */
  readonly onConflict: readonly string[] | null;
}

export function insertStatement(
  relation: Relation,
  insertion: Insertion,
  returning: Returning,
  writing: Writing,
): ChangeStatement {
  const { parameters } = writing;
  const columns = insertion.columns.map((name) => knownColumn(relation, name));
  const body = `${parameters.add(insertion.body)}::json`;
  const elements = insertion.isArray ? `json_array_elements(${body})` : `(select ${body})`;
  const values = columns.map(({ name, sql, defaultValue }) =>
    insertion.missingIsDefault
      ? `case when element.value::jsonb ? ${parameters.add(name)}::text then given.${sql} else ${defaultValue ?? 'null'} end`
      : `given.${sql}`,
  );
  // Without columns, every row consists of defaults.
  const into = columns.length === 0 ? '' : ` (${columns.map(({ sql }) => sql).join(', ')})`;
  const given = columns.length === 0 ? '' : `, json_to_record(element.value) as given (${recordType(columns)})`;
  const insert = `insert into ${relation.sql} as ${TARGET}${into}
    select ${values.join(', ')} from ${elements} as element (value)${given}${conflictSql(relation, insertion, columns)}`;
  return changeStatement(relation, insert, returning, writing);
}

/** Counts the rows that an upsert updated, because inserted and updated rows cannot be told apart afterwards. */
const COUNT_UPDATED = `set_config('reunite.updated',
  (coalesce(nullif(current_setting('reunite.updated', true), ''), '0')::int + 1)::text, true) is not null`;

function conflictSql(relation: Relation, { resolution, onConflict }: Insertion, columns: readonly Column[]): string {
  if (resolution === null) return '';
  const key = (onConflict ?? relation.primaryKey).map((name) => knownColumn(relation, name).sql);
  const target = key.length === 0 ? '' : ` (${key.join(', ')})`;
  if (resolution === 'ignore-duplicates' || columns.length === 0) return ` on conflict${target} do nothing`;
  // Without a key there are no conflicting rows.
  if (key.length === 0) return '';
  const set = columns.map(({ sql }) => `${sql} = excluded.${sql}`).join(', ');
  return ` on conflict${target} do update set ${set} where ${COUNT_UPDATED}`;
}

export function updateStatement(
  relation: Relation,
  where: ReadNode,
  { body, columns }: { readonly body: string; readonly columns: readonly string[] },
  returning: Returning,
  writing: Writing,
): ChangeStatement {
  const { parameters } = writing;
  const changed = columns.map((name) => knownColumn(relation, name));
  const given = `json_to_record(${parameters.add(body)}::json) as given (${recordType(changed)})`;
  const set = changed.map(({ sql }) => `${sql} = given.${sql}`).join(', ');
  const update = `update ${relation.sql} as ${TARGET} set ${set} from ${given}${chosenSql(relation, where, writing)}`;
  return changeStatement(relation, update, returning, writing);
}

export function deleteStatement(
  relation: Relation,
  where: ReadNode,
  returning: Returning,
  writing: Writing,
): ChangeStatement {
  const change = `delete from ${relation.sql} as ${TARGET}${chosenSql(relation, where, writing)}`;
  return changeStatement(relation, change, returning, writing);
}

/**
 * Returns the `where` clause that selects the rows to change. A page of rows is found by primary key in a subquery,
 * where the table has the same alias and hides the outer one.
 *
 * The conditions are repeated outside: where another transaction has changed a row, PostgreSQL rechecks only the outer
 * conditions against its new version.
 */
function chosenSql(relation: Relation, where: ReadNode, writing: Writing): string {
  if (!isPage(where)) return whereSql(where, writing.parameters);
  const key = relation.primaryKey.map((name) => `${TARGET}.${knownColumn(relation, name).sql}`).join(', ');
  const page = rowsSql(where, writing, { from: `${relation.sql} as ${TARGET}`, mostRows: null, numbered: true });
  return whereSql(where, writing.parameters, [`(${key}) in (${page.sql})`]);
}

/** The change returns only columns that the response uses, so that it needs no permission for others. */
function changeStatement(relation: Relation, change: string, returning: Returning, writing: Writing): ChangeStatement {
  const { body, affected, from, used, fields } = responseOf(relation, returning, writing);
  // A column that the response selects and also embeds by is there twice: the schema cache has it by its relation and by
  // its relationship.
  const read = [...used].map((column) => (column === ROW_FIELD ? copiedRowSql(relation) : `${TARGET}.${column.sql}`));
  const columns = [...new Set(read)];
  // Rows are counted first, so that the change is complete before the response settings are read.
  const text = `with changed as (${change} returning ${columns.length === 0 ? '1 as one' : columns.join(', ')})
select ${body} as body, ${affected} as affected, null::int as total, nullif(current_setting('reunite.updated', true), '') as updated,
  ${RESPONSE_SETTINGS} from ${from}`;
  return { statement: writing.parameters.statement(text), fields };
}

interface ChangeResponseSql {
  readonly body: string;
  /** The number of changed rows. */
  readonly affected: string;
  readonly from: string;
  readonly used: ReadNode['used'];
  readonly fields: readonly string[];
}

const COUNTED = { affected: 'counted.affected', from: '(select count(*)::int as affected from changed) as counted' };

function responseOf(relation: Relation, returning: Returning, writing: Writing): ChangeResponseSql {
  if (returning.kind === 'nothing') return { ...COUNTED, body: 'null', used: new Set(), fields: [] };
  if (returning.kind === 'key') {
    const columns = relation.primaryKey.map((name) => knownColumn(relation, name));
    const used = new Set(columns);
    const key = columns.map((column) => `first.${column.sql}::text`);
    // A Location header can name only a single row.
    const body = `(select to_json(array[${key.join(', ')}]::text[])::text from changed as first where counted.affected = 1)`;
    return { ...COUNTED, body, used, fields: relation.primaryKey };
  }
  const { node, form } = returning;
  const numbered = form.kind !== 'rows';
  const rows = rowsSql(node, writing, { from: `changed as ${node.alias}`, mostRows: null, numbered });
  const body = bodySql(rows, form, writing.parameters);
  const page = `(${rows.sql}) as page`;
  const shaped = { used: node.used, fields: rows.outputs.map(({ name }) => name) };
  // Where each changed row is in the response, one pass builds and counts it.
  if (hasEveryRow(node)) return { ...shaped, body, affected: 'count(*)::int', from: page };
  return { ...shaped, ...COUNTED, body: `(select ${body} from ${page})` };
}

function hasEveryRow(node: ReadNode): boolean {
  return !isPage(node) && !isGrouped(node) && node.embeds.every(({ inner }) => !inner);
}

function knownColumn(relation: Relation, name: string): Column {
  const column = relation.columns.get(name);
  if (column === undefined) throw columnNotInCache(name, relation.name);
  return column;
}

function recordType(columns: readonly Column[]): string {
  return columns.map(({ sql, type }) => `${sql} ${type}`).join(', ');
}

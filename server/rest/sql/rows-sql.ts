import { aggregatesNotAllowed, featureNotServed, notEmbedded, relatedOrderImpossible, tooComplex } from '../errors.ts';
import type { OrderTerm } from '../grammar/tree.ts';
import type { CatalogueSql } from '../schema-cache/schema.ts';
import { castSql } from './casts.ts';
import { whereSql } from './condition-sql.ts';
import { columnSql, fieldSql } from './field-sql.ts';
import { joinSql } from './join-sql.ts';
import type { Parameters } from './parameters.ts';
import { type Embed, type FieldItem, findEmbed, isGrouped, isPlainCount, isToOne, type ReadNode } from './read-node.ts';

/** What all parts of one statement share. */
export interface Writing {
  readonly parameters: Parameters;
  readonly mostRows: number;
  readonly aggregates: boolean;
}

/** One field of a row. */
interface Output {
  /** The alias from the request, or a name from the schema cache. */
  readonly name: string;
  /** The name as an SQL identifier; null for a name from the request, which never becomes SQL text. */
  readonly label: CatalogueSql | null;
  readonly sql: string;
  /** Whether it aggregates rows. */
  readonly aggregate: boolean;
  /** How the grouped rows that it is spread into aggregate its value. */
  readonly grouping?: (value: string) => string;
}

export interface Rows {
  /** A query for the rows of one page. Its columns are named `c1`, `c2` …, or by their labels. */
  readonly sql: string;
  /** A query with as many rows as all pages have. */
  readonly uncut: string;
  readonly outputs: readonly Output[];
  /** Whether every column has its field's name. */
  readonly labeled: boolean;
}

export interface RowsOptions {
  /** The `from` clause. */
  readonly from: string;
  /** Conditions in addition to the node's own. */
  readonly conditions?: readonly string[];
  /** The most rows, whatever the request's limit; null for no bound. */
  readonly mostRows: number | null;
  /** Names columns by position, so that each can be referenced. */
  readonly numbered?: boolean;
  /** The rows are spread into grouped rows, which aggregate them. */
  readonly inGroup?: boolean;
}

/** PostgreSQL's limit on columns of a select list is slightly higher (1,664). */
const MOST_FIELDS = 1_600;
/** How many fields a relation may select in addition to each of its columns twice, such as casts and JSON paths. */
const MOST_MORE_FIELDS = 100;

/** The most bytes of JSON in all lists of embedded rows of one response, nested ones included. */
const MOST_EMBEDDED_BYTES = 16 * 1024 * 1024;
const EMBEDDED_BYTES = `coalesce(nullif(current_setting('reunite.embedded_bytes', true), ''), '0')::bigint`;

/** Builds the query for the rows of a node. */
export function rowsSql(node: ReadNode, writing: Writing, options: RowsOptions): Rows {
  const { from, conditions = [], mostRows, numbered = false, inGroup = false } = options;
  const { parameters } = writing;
  requireFewFields(node);
  const { outputs, laterals } = outputsOf(node, writing, inGroup);
  if (outputs.length > MOST_FIELDS) throw tooComplex(`It selects more than ${MOST_FIELDS} fields.`);
  const labeled = !numbered && outputs.length > 0 && outputs.every(({ label }) => label !== null);
  const columns = outputs.map(({ sql, label }, index) => `${sql} as ${labeled ? label : `c${index + 1}`}`);
  const where = whereSql(node, parameters, conditions);
  const all = `select ${columns.join(', ')} from ${from}${laterals}${where}${inGroup ? '' : groupSql(node, outputs)}`;
  // The number of rows does not depend on the selected fields, unless they group the rows.
  const uncut = isGrouped(node) ? all : `select from ${from}${where}`;
  const order = orderSql(node, writing);
  return { sql: `${all}${order}${pageSql(node, mostRows, parameters)}`, uncut, outputs, labeled };
}

/** Bounds repeated columns: a column selected a thousand times would make a huge response of a few rows. */
function requireFewFields({ items, relation: { columns } }: ReadNode): void {
  const fields = items.reduce((sum, { kind }) => sum + (kind === 'all' ? columns.size : 1), 0);
  if (fields > 2 * columns.size + MOST_MORE_FIELDS) throw tooComplex('It selects the same fields too often.');
}

function pageSql({ limit, offset }: ReadNode, mostRows: number | null, parameters: Parameters): string {
  const rows = mostRows === null ? limit : Math.min(limit ?? mostRows, mostRows);
  const cut = rows === null ? '' : ` limit ${parameters.add(rows)}`;
  return offset === 0 ? cut : `${cut} offset ${parameters.add(offset)}`;
}

function groupSql(node: ReadNode, outputs: readonly Output[]): string {
  if (!isGrouped(node)) return '';
  const positions = outputs.flatMap(({ aggregate }, index) => (aggregate ? [] : [index + 1]));
  return positions.length === 0 ? '' : ` group by ${positions.join(', ')}`;
}

function outputsOf(
  node: ReadNode,
  writing: Writing,
  inGroup: boolean,
): { outputs: readonly Output[]; laterals: string } {
  const grouped = inGroup || isGrouped(node);
  let laterals = '';
  const outputs = node.items.flatMap((item): readonly Output[] => {
    if (item.kind === 'all') {
      return [...node.relation.columns.values()].map((column) => {
        const sql = groupable(columnSql(node, column), column.type, grouped);
        return { name: column.name, label: column.sql, sql, aggregate: false };
      });
    }
    if (item.kind === 'field') return [fieldOutput(node, item, { grouped, inGroup }, writing)];
    const { embed } = item;
    if (embed.spread) {
      const spread = spreadSql(node, embed, { grouped, inGroup }, writing);
      laterals += spread.lateral;
      return spread.outputs;
    }
    // An empty select list only tests for existence.
    if (embed.node.items.length === 0) return [];
    const sql = embedSql(node, embed, writing);
    const label = embed.name === embed.target.name ? embed.target.label : null;
    return [{ name: embed.name, label, sql: groupable(sql, 'json', grouped), aggregate: false }];
  });
  return { outputs, laterals };
}

/** The json type has no equality, so such values are grouped as jsonb. */
function groupable(sql: string, type: string, grouped: boolean): string {
  return grouped && type === 'json' ? `(${sql})::jsonb` : sql;
}

/** Where a field is: in grouped rows, or spread into grouped rows. */
interface Grouping {
  readonly grouped: boolean;
  readonly inGroup: boolean;
}

function fieldOutput(
  node: ReadNode,
  item: FieldItem,
  { grouped, inGroup }: Grouping,
  { parameters, aggregates }: Writing,
): Output {
  const { path, alias, aggregate } = item;
  const { column: name, steps } = path;
  if (isPlainCount(node.relation, item)) return countOutput(alias, null, inGroup);
  if (aggregate !== null && !aggregates) throw aggregatesNotAllowed();
  if (aggregate?.name === 'count' && name === '') return countOutput(alias, aggregate.cast, inGroup);
  const field = `${fieldSql(node, path, parameters)}${castSql(item.cast)}`;
  const lastKey = steps.findLast(({ key }) => typeof key === 'string')?.key;
  const column = node.relation.columns.get(name);
  if (aggregate !== null) {
    const cast = castSql(aggregate.cast);
    const grouping = (value: string) => `${aggregate.name}(${value})${cast}`;
    return aggregateOutput(alias ?? aggregate.name, field, grouping, inGroup);
  }
  const plain = alias === null && steps.length === 0 && column !== undefined;
  return {
    name: alias ?? String(lastKey ?? name),
    label: plain ? column.sql : null,
    sql: groupable(field, item.cast ?? (steps.length === 0 ? (column?.type ?? '') : ''), grouped),
    aggregate: false,
  };
}

function countOutput(alias: string | null, cast: string | null, inGroup: boolean): Output {
  return aggregateOutput(alias ?? 'count', 'null', () => `count(*)${castSql(cast)}`, inGroup);
}

function aggregateOutput(name: string, value: string, grouping: (value: string) => string, inGroup: boolean): Output {
  if (inGroup) return { name, label: null, sql: value, aggregate: false, grouping };
  return { name, label: null, sql: grouping(value), aggregate: true };
}

/** Returns an embedded relation as one value: an object, null, or an array. */
function embedSql(parent: ReadNode, embed: Embed, writing: Writing): string {
  const join = joinSql(parent, embed);
  const mostRows = isToOne(embed) ? 1 : writing.mostRows;
  const rows = rowsSql(embed.node, writing, { ...join, mostRows });
  const page = `${embed.node.alias}_page`;
  const value = rowSql(rows, page, writing.parameters);
  return isToOne(embed)
    ? `(select ${value} from (${rows.sql}) as ${page})`
    : `(select ${weighed(`coalesce(json_agg(${value}), '[]')`)} from (${embeddedPage(rows)}) as ${page})`;
}

/**
 * Limits the size of embedded lists. Relations that embed each other repeatedly could turn a hundred rows into
 * millions.
 *
 * Each list adds its bytes to a setting of the transaction. Once the sum exceeds the limit, the next list gets a
 * negative LIMIT, which ends the statement at once with `2201W`.
 */
function weighed(list: string): string {
  const sum = `${EMBEDDED_BYTES} + octet_length(${list}::text)`;
  return `case when set_config('reunite.embedded_bytes', (${sum})::text, true) is not null then ${list} end`;
}

function embeddedPage({ sql }: Rows): string {
  return `select * from (${sql}) as found limit case when ${EMBEDDED_BYTES} > ${MOST_EMBEDDED_BYTES} then -1 end`;
}

/**
 * Selects the fields of an embedded relation as fields of the parent row. For several rows, each field becomes an
 * array.
 */
function spreadSql(
  parent: ReadNode,
  embed: Embed,
  { grouped, inGroup }: Grouping,
  writing: Writing,
): { lateral: string; outputs: readonly Output[] } {
  if (embed.node.items.length === 0) return { lateral: '', outputs: [] };
  const toOne = isToOne(embed);
  if (!toOne && isGrouped(embed.node)) {
    throw featureNotServed('Aggregates are not implemented for one-to-many or many-to-many spreads.');
  }
  const join = joinSql(parent, embed);
  const mostRows = toOne ? 1 : writing.mostRows;
  const rows = rowsSql(embed.node, writing, { ...join, mostRows, numbered: true, inGroup: toOne && grouped });
  const spread = `${embed.node.alias}_spread`;
  const columns = rows.outputs.map((_, index) => `c${index + 1}`);
  const arrays = columns.map((column) => `${weighed(`coalesce(json_agg(each_row.${column}), '[]')`)} as ${column}`);
  // The count aggregates them to one row, even where no field is selected.
  const inner = toOne
    ? rows.sql
    : `select ${[...arrays, 'count(*)'].join(', ')} from (${embeddedPage(rows)}) as each_row`;
  return {
    lateral: ` left join lateral (${inner}) as ${spread} on true`,
    outputs: rows.outputs.map(({ name, label, grouping }, index) => {
      const value = `${spread}.${columns[index]}`;
      if (grouping !== undefined) return aggregateOutput(name, value, grouping, inGroup);
      return { name, label, sql: toOne ? value : groupable(value, 'json', grouped), aggregate: false };
    }),
  };
}

/** PostgreSQL functions take 100 arguments, and each field uses two. */
const MOST_PAIRS = 50;

/** Returns one row of the query `page` as JSON. Names from the request are passed as values. */
export function rowSql({ outputs, labeled }: Rows, page: string, parameters: Parameters): string {
  if (labeled) return `row_to_json(${page}.*)`;
  const pairs = outputs.map(({ name }, index) => `${parameters.add(name)}::text, ${page}.c${index + 1}`);
  const objects: string[] = [];
  for (let start = 0; start < pairs.length; start += MOST_PAIRS) {
    objects.push(`json_build_object(${pairs.slice(start, start + MOST_PAIRS).join(', ')})`);
  }
  if (objects.length <= 1) return objects[0] ?? `'{}'::json`;
  // Joins several objects to one by removing the braces between them.
  const inside = objects.map((object) => `substr(left(${object}::text, -1), 2)`);
  return `('{' || ${inside.join(` || ', ' || `)} || '}')::json`;
}

/** Returns ` order by …`, or nothing where no order is requested. */
function orderSql(node: ReadNode, writing: Writing): string {
  if (node.order.length === 0) return '';
  const terms = node.order.map((term) => {
    const nulls = term.nulls === null ? '' : ` nulls ${term.nulls}`;
    return `${orderedSql(node, term, writing)} ${term.descending ? 'desc' : 'asc'}${nulls}`;
  });
  return ` order by ${terms.join(', ')}`;
}

function orderedSql(node: ReadNode, { relation, path }: OrderTerm, { parameters }: Writing): string {
  if (relation === null) return fieldSql(node, path, parameters);
  const embed = findEmbed(node, relation);
  if (embed === undefined) throw notEmbedded(relation);
  if (!isToOne(embed)) throw relatedOrderImpossible(node.relation.name, relation);
  const join = joinSql(node, embed);
  const field = fieldSql(embed.node, path, parameters);
  return `(select ${field} from ${join.from}${whereSql(embed.node, parameters, join.conditions)} limit 1)`;
}

import { aggregatesNotAllowed, featureNotServed, notEmbedded, relatedOrderImpossible, tooComplex } from '../errors.ts';
import type { OrderTerm } from '../grammar/tree.ts';
import type { CatalogueSql } from '../schema-cache/schema.ts';
import { castSql } from './casts.ts';
import { whereSql } from './condition-sql.ts';
import { columnSql, fieldSql } from './field-sql.ts';
import { joinSql } from './join-sql.ts';
import type { Parameters } from './parameters.ts';
import { type Embed, type FieldItem, findEmbed, isGrouped, isPlainCount, isToOne, type ReadNode } from './read-node.ts';

/** What every part of one statement shares. */
export interface Writing {
  readonly parameters: Parameters;
  readonly mostRows: number;
  readonly aggregates: boolean;
}

/** One field of a row. */
interface Output {
  /** The caller's word (an alias), or a name that the schema cache knows. */
  readonly name: string;
  /** The name as an SQL identifier; null for a word of the caller's, which never becomes SQL text. */
  readonly label: CatalogueSql | null;
  readonly sql: string;
  /** Made of many rows. */
  readonly aggregate: boolean;
  /** What the grouped rows in which this one is spread make of its value. */
  readonly grouping?: (value: string) => string;
}

export interface Rows {
  /** A query that gives the rows of one page, its columns named `c1`, `c2` …, or by their labels. */
  readonly sql: string;
  /** A query that gives as many rows as there are on all pages. */
  readonly uncut: string;
  readonly outputs: readonly Output[];
  /** Every column has its field's name. */
  readonly labelled: boolean;
}

export interface RowsOptions {
  /** What stands after `from`. */
  readonly from: string;
  /** Conditions beside the node's own. */
  readonly conditions?: readonly string[];
  /** Rows at most, whatever the request says; null for no bound. */
  readonly mostRows: number | null;
  /** Names columns by their position alone, so that each can be referred to. */
  readonly numbered?: boolean;
  /** The rows are spread in rows that are grouped, and leave it to those to make one of many. */
  readonly inGroup?: boolean;
}

/** More columns than PostgreSQL takes in one select list. */
const MOST_FIELDS = 1_600;
/** Fields of one relation beside each of its columns twice: casts, ways into JSON. */
const MOST_MORE_FIELDS = 100;

/** Bytes of JSON that the lists of embedded rows of one answer may have together, with what is embedded in them. */
const MOST_EMBEDDED_BYTES = 16 * 1024 * 1024;
const EMBEDDED_BYTES = `coalesce(nullif(current_setting('reunite.embedded_bytes', true), ''), '0')::bigint`;

/** The rows of a node as a query. */
export function rowsSql(node: ReadNode, writing: Writing, options: RowsOptions): Rows {
  const { from, conditions = [], mostRows, numbered = false, inGroup = false } = options;
  const { parameters } = writing;
  requireFewFields(node);
  const { outputs, laterals } = outputsOf(node, writing, inGroup);
  if (outputs.length > MOST_FIELDS) throw tooComplex(`It selects more than ${MOST_FIELDS} fields.`);
  const labelled = !numbered && outputs.length > 0 && outputs.every(({ label }) => label !== null);
  const columns = outputs.map(({ sql, label }, index) => `${sql} as ${labelled ? label : `c${index + 1}`}`);
  const where = whereSql(node, parameters, conditions);
  const all = `select ${columns.join(', ')} from ${from}${laterals}${where}${inGroup ? '' : groupSql(node, outputs)}`;
  // How many rows there are does not depend on what is told of each, unless they are grouped by it.
  const uncut = isGrouped(node) ? all : `select from ${from}${where}`;
  const order = orderSql(node, writing);
  return { sql: `${all}${order}${pageSql(node, mostRows, parameters)}`, uncut, outputs, labelled };
}

/** The same column a thousand times would make an answer of any size out of a few rows. */
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
    // An empty list asks for nothing of it but that it is there.
    if (embed.node.items.length === 0) return [];
    const sql = embedSql(node, embed, writing);
    const label = embed.name === embed.target.name ? embed.target.label : null;
    return [{ name: embed.name, label, sql: groupable(sql, 'json', grouped), aggregate: false }];
  });
  return { outputs, laterals };
}

/** JSON texts cannot be compared, so rows are grouped by what they mean. */
function groupable(sql: string, type: string, grouped: boolean): string {
  return grouped && type === 'json' ? `(${sql})::jsonb` : sql;
}

/** Where a field stands: in rows that are grouped, or spread in such rows. */
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

/** An embedded relation as one value: an object, null where there is none, or an array. */
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
 * Relations that embed each other again and again would make millions of rows out of a hundred. So each list adds its
 * bytes to a setting of the transaction, and where there are too many the next one has an impossible LIMIT, which ends
 * the statement with `2201W` at once.
 */
function weighed(list: string): string {
  const sum = `${EMBEDDED_BYTES} + octet_length(${list}::text)`;
  return `case when set_config('reunite.embedded_bytes', (${sum})::text, true) is not null then ${list} end`;
}

function embeddedPage({ sql }: Rows): string {
  return `select * from (${sql}) as found limit case when ${EMBEDDED_BYTES} > ${MOST_EMBEDDED_BYTES} then -1 end`;
}

/** The fields of an embedded relation as fields of the row itself; of many rows each becomes an array. */
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
  // The count makes one row of them even where no field is asked for.
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

/** PostgreSQL's functions take 100 arguments, and each field is two of them. */
const MOST_PAIRS = 50;

/** One row of such a query, which stands under the name `page`, as JSON. Words of the caller's go in as values. */
export function rowSql({ outputs, labelled }: Rows, page: string, parameters: Parameters): string {
  if (labelled) return `row_to_json(${page})`;
  const pairs = outputs.map(({ name }, index) => `${parameters.add(name)}::text, ${page}.c${index + 1}`);
  const objects: string[] = [];
  for (let start = 0; start < pairs.length; start += MOST_PAIRS) {
    objects.push(`json_build_object(${pairs.slice(start, start + MOST_PAIRS).join(', ')})`);
  }
  if (objects.length <= 1) return objects[0] ?? `'{}'::json`;
  // Many objects become one: without the brackets between them.
  const inside = objects.map((object) => `substr(left(${object}::text, -1), 2)`);
  return `('{' || ${inside.join(` || ', ' || `)} || '}')::json`;
}

/** ` order by …`; nothing where no order is asked for. */
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

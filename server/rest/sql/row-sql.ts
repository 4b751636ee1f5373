import { aggregatesNotAllowed, embeddingNotServed, tooComplex, typeNotFound } from '../errors.ts';
import type { OrderTerm, SelectItem } from '../grammar/tree.ts';
import type { Columns } from '../schema-cache/schema.ts';
import { fieldSql, TARGET } from './field-sql.ts';
import type { Parameters } from './parameters.ts';

/** A function takes 100 arguments in PostgreSQL, and each field is two of them. */
const MOST_FIELDS = 50;

/** What a value may be cast to. A type's name becomes SQL text, so it is looked up here and never taken over. */
const CASTS: ReadonlyMap<string, string> = new Map(
  [
    'text',
    'varchar',
    'int',
    'int2',
    'int4',
    'int8',
    'integer',
    'smallint',
    'bigint',
    'numeric',
    'float4',
    'float8',
    'real',
    'bool',
    'boolean',
    'date',
    'time',
    'timestamp',
    'timestamptz',
    'interval',
    'uuid',
    'json',
    'jsonb',
  ].map((type) => [type, type]),
);

/** One row as JSON. Names of fields are the caller's words (aliases), so they go in as values. */
export function rowSql(
  relation: Columns,
  select: readonly SelectItem[],
  parameters: Parameters,
  wholeRow = `row_to_json(${TARGET}.*)`,
): string {
  const [only] = select;
  if (select.length === 1 && only?.kind === 'all') return wholeRow;
  const fields = select.flatMap((item) => fieldsOf(relation, item, parameters));
  if (fields.length > MOST_FIELDS) throw tooComplex(`It selects more than ${MOST_FIELDS} fields.`);
  return `json_build_object(${fields.map(([name, sql]) => `${parameters.add(name)}::text, ${sql}`).join(', ')})`;
}

/** Names and values of what one item of a select list stands for. */
function fieldsOf(relation: Columns, item: SelectItem, parameters: Parameters): (readonly [string, string])[] {
  if (item.kind === 'relation') throw embeddingNotServed(relation.name, item.relation);
  if (item.kind === 'all') return [...relation.columns.values()].map(({ name, sql }) => [name, `${TARGET}.${sql}`]);
  const { path, alias, cast, aggregate } = item;
  if (aggregate !== null) throw aggregatesNotAllowed();
  const lastKey = path.steps.findLast(({ key }) => typeof key === 'string')?.key;
  const sql = fieldSql(relation, path, parameters);
  return [[alias ?? String(lastKey ?? path.column), cast === null ? sql : `${sql}::${castType(cast)}`]];
}

function castType(asked: string): string {
  const type = CASTS.get(asked.toLowerCase());
  if (type === undefined) throw typeNotFound(asked);
  return type;
}

export function orderSql(relation: Columns, order: readonly OrderTerm[], parameters: Parameters): string {
  if (order.length === 0) return '';
  const terms = order.map(({ path, descending, nulls }) => {
    const direction = descending ? 'desc' : 'asc';
    return `${fieldSql(relation, path, parameters)} ${direction}${nulls === null ? '' : ` nulls ${nulls}`}`;
  });
  return ` order by ${terms.join(', ')}`;
}

import { typeNotFound } from '../errors.ts';

/** What a value may be cast to. A type's name becomes SQL text, so it is looked up here and never taken over. */
const CASTS: ReadonlySet<string> = new Set([
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
  'decimal',
  'float4',
  'float8',
  'real',
  'double precision',
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
  'inet',
  'cidr',
  'bytea',
  'money',
]);

/** `::type` after a value; nothing where no cast is asked for. Throws 42704 for a type that is not served. */
export function castSql(asked: string | null): string {
  if (asked === null) return '';
  const type = asked.toLowerCase();
  if (!CASTS.has(type)) throw typeNotFound(asked);
  return `::${type}`;
}

import { typeNotFound } from '../errors.ts';

/** The types a value may be cast to. Type names become SQL text, so they are looked up here and never copied. */
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

/** Returns `::type`, or nothing where no cast is requested. Throws 42704 for an unsupported type. */
export function castSql(asked: string | null): string {
  if (asked === null) return '';
  const type = asked.toLowerCase();
  if (!CASTS.has(type)) throw typeNotFound(asked);
  return `::${type}`;
}

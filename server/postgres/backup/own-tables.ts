import type { Client } from 'pg';

/** A table whose rows a backup has. Names are as PostgreSQL quotes them. */
export interface BackedUpTable {
  /** With its schema, such as `public.items`. */
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** What makes the order of its rows the same on every server. */
  readonly order: string;
}

/** The number that a column's next row follows. */
export interface BackedUpSequence {
  readonly table: string;
  readonly column: string;
  readonly last: string;
}

/** Returns the statement that sends a table's rows in the order of its key. */
export function copyStatement({ name, columns, order }: BackedUpTable): string {
  return `copy (select ${columns.map((column) => column.name).join(', ')} from ${name} order by ${order}) to stdout`;
}

/** Tables of ours have these names in `database/tables`. Those of running sockets are unlogged, and of no use to another server. */
const LOGGED_TABLE = /^create table (\w+\.\w+)/gm;
const ANY_TABLE = /^create (?:unlogged )?table (\w+\.\w+)/gm;

/** The names of the tables that these files create. */
export function tablesIn(files: readonly { readonly sql: string }[], kind: 'logged' | 'any'): string[] {
  const pattern = kind === 'logged' ? LOGGED_TABLE : ANY_TABLE;
  return files.flatMap(({ sql }) => [...sql.matchAll(pattern)].map(([, name = '']) => name));
}

/** Describes these tables, in the order of the list. A table that another one refers to must be earlier in it. */
export async function describeTables(client: Client, names: readonly string[]): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable>(
    `select name,
        (select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, atttypmod))
            order by attnum)
          from pg_attribute
          where attrelid = name::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns,
        (select string_agg(
            quote_ident(attname) || case when attcollation <> 0 then ' collate "C"' else '' end, ', '
            order by array_position(indkey::int2[], attnum))
          from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
          where indrelid = name::regclass and indisprimary) as order
      from unnest($1::text[]) with ordinality as listed (name, place) order by place`,
    [names],
  );
  return rows;
}

export async function describeSequences(client: Client, tables: readonly BackedUpTable[]): Promise<BackedUpSequence[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select name as table, attname as column, pg_get_serial_sequence(name, attname) as sequence
      from unnest($1::text[]) as name join pg_attribute on attrelid = name::regclass
      where attnum > 0 and not attisdropped and attidentity <> ''`,
    [tables.map(({ name }) => name)],
  );
  const sequences: BackedUpSequence[] = [];
  for (const { table, column, sequence } of rows) {
    // PostgreSQL has quoted the name. A sequence that was never used begins at 1.
    const found = await client.query<{ last: string }>(
      `select (case when is_called then last_value else 0 end)::text as last from ${sequence}`,
    );
    sequences.push({ table, column, last: found.rows[0]?.last ?? '0' });
  }
  return sequences;
}

/**
 * Lists what is in the database and neither ours, nor the job queue's, nor PostgreSQL's or of an extension: tables, views,
 * sequences, functions, types, schemas, and extensions.
 */
export async function listForeign(client: Client, ours: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ found: string }>(
    `with extension_part as (select classid, objid from pg_depend where deptype = 'e'),
        visible as (
          select oid, nspname as schema from pg_namespace
            where nspname !~ '^pg_' and nspname not in ('information_schema', 'graphile_worker')
              and not exists (select from extension_part where objid = pg_namespace.oid and classid = 'pg_namespace'::regclass)
        )
      select case relkind when 'v' then 'view ' when 'm' then 'materialized view ' when 'S' then 'sequence '
            when 'f' then 'foreign table ' else 'table ' end || schema || '.' || relname as found
        from pg_class join visible on visible.oid = relnamespace
        where relkind in ('r', 'p', 'v', 'm', 'f', 'S') and schema || '.' || relname <> all ($1)
          and not exists (select from extension_part where objid = pg_class.oid and classid = 'pg_class'::regclass)
          -- A sequence of a column belongs to its table.
          and not (relkind = 'S' and exists (
            select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i')
              and refclassid = 'pg_class'::regclass))
      union all
      select 'function ' || pg_proc.oid::regprocedure
        from pg_proc join visible on visible.oid = pronamespace
        where not exists (select from internal.functions where name = schema || '.' || proname)
          and not exists (select from extension_part where objid = pg_proc.oid and classid = 'pg_proc'::regclass)
      union all
      select 'type ' || schema || '.' || typname from pg_type join visible on visible.oid = typnamespace
        where typtype in ('e', 'd', 'r') and not exists (
          select from extension_part where objid = pg_type.oid and classid = 'pg_type'::regclass)
      union all
      select 'schema ' || schema from visible
        where schema not in ('auth', 'internal', 'public', 'realtime', 'storage')
      union all
      select 'extension ' || extname from pg_extension where extname <> 'plpgsql'
      order by 1`,
    [ours],
  );
  return rows.map(({ found }) => found);
}

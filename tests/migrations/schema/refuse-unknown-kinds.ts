import type { ClientBase } from 'pg';

/**
 * Verifies that the description of the schema is complete.
 *
 * @throws Error that names every object of an unsupported kind.
 */
export async function refuseUnknownKinds(client: ClientBase, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ found: string }>(UNKNOWN, [schemas]);
  if (rows.length === 0) return;
  throw new Error(`The description of the schema does not know: ${rows.map(({ found }) => found).join(', ')}.`);
}

/** Indexes, sequences of identity columns, row types of tables and plain functions are described elsewhere. */
const UNKNOWN = `
  select format('relation %s (%s)', pg_class.oid::regclass, relkind) as found
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any ($1) and relkind not in ('r', 'v', 'i', 't')
    and not (relkind = 'S' and exists (select from pg_depend where objid = pg_class.oid and deptype = 'i'))
  union all
  select format('type %s (%s)', pg_type.oid::regtype, typtype)
  from pg_type join pg_namespace on pg_namespace.oid = typnamespace
  where nspname = any ($1) and typtype not in ('c', 'b')
  union all
  select format('function %s (%s)', pg_proc.oid::regprocedure, prokind)
  from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
  where nspname = any ($1) and prokind <> 'f'
  union all
  select format('schema %I', nspname) from pg_namespace
  where nspname <> all ($1) and nspname <> 'graphile_worker' and nspname !~ '^(pg_|information_schema$)'
  union all
  select format('extension %I', extname) from pg_extension where extname <> 'plpgsql'
  union all
  select format('event trigger %I', evtname) from pg_event_trigger
  union all
  select format('rule %I on %s', rulename, ev_class::regclass)
  from pg_rewrite join pg_class on pg_class.oid = ev_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = any ($1) and rulename <> '_RETURN'`;

import type { TestDatabase } from '#tests/support/test-database.ts';

/** The schemas that our migrations fill. The job queue's is its library's, and no API role may enter it. */
export const OUR_SCHEMAS: readonly string[] = ['auth', 'internal', 'public', 'realtime', 'storage'];

export interface CataloguedRelation {
  /** With the schema, such as public.items. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Generated columns, which no statement may set. */
  readonly generated: readonly string[];
}

/** Every table, view, materialized view and foreign table of ours. */
export async function readRelations(database: TestDatabase): Promise<CataloguedRelation[]> {
  return database.query<CataloguedRelation & object>(
    `select format('%I.%I', nspname, relname) as name,
       array_agg(attname::text order by attnum) as columns,
       coalesce(array_agg(attname::text) filter (where attgenerated <> '' or attidentity = 'a'), '{}') as generated
     from pg_class
     join pg_namespace on pg_namespace.oid = relnamespace
     join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relkind in ('r', 'p', 'v', 'm', 'f') and nspname = any ($1)
     group by nspname, relname
     order by 1`,
    [OUR_SCHEMAS],
  );
}

export interface CataloguedFunction {
  /** With the schema and argument types, such as public.find_item(text). */
  readonly name: string;
  readonly argumentTypes: readonly string[];
  readonly isTrigger: boolean;
  /** The account it acts as, or null where it acts as its caller. */
  readonly actsAs: string | null;
  /** The API roles that may execute it. */
  readonly executableBy: readonly string[];
}

/** Every function and procedure of ours. */
export async function readFunctions(database: TestDatabase): Promise<CataloguedFunction[]> {
  return database.query<CataloguedFunction & object>(
    `select format('%I.%I(%s)', nspname, proname, pg_get_function_identity_types) as name,
       argument_types as "argumentTypes",
       prorettype = 'trigger'::regtype as "isTrigger",
       case when prosecdef then case when rolsuper then 'the migrating account' else rolname::text end end as "actsAs",
       array(
         select role from unnest(array['anon', 'authenticated', 'service_role']) as role
         where has_function_privilege(role, pg_proc.oid, 'execute')
       ) as "executableBy"
     from pg_proc
     join pg_namespace on pg_namespace.oid = pronamespace
     join pg_roles on pg_roles.oid = proowner
     cross join lateral (
       select coalesce(string_agg(type::regtype::text, ', ' order by position), '') as pg_get_function_identity_types,
         coalesce(array_agg(type::regtype::text order by position), '{}') as argument_types
       from unnest(proargtypes::oid[]) with ordinality as arguments (type, position)
     ) as types
     where nspname = any ($1)
     order by 1`,
    [OUR_SCHEMAS],
  );
}

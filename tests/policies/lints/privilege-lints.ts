import { API_ROLES, type CatalogueLint } from '../catalogue-lint.ts';

/** The schemas that each API role may enter. */
const DOORS = `
  (values ('anon', 'auth'), ('anon', 'public'), ('anon', 'realtime'), ('anon', 'storage'),
     ('authenticated', 'auth'), ('authenticated', 'public'), ('authenticated', 'realtime'), ('authenticated', 'storage'),
     ('service_role', 'auth'), ('service_role', 'public'), ('service_role', 'realtime'), ('service_role', 'storage'),
     ('service_role', 'internal')) as doors (role, schema)`;

export const PRIVILEGE_LINTS: readonly CatalogueLint[] = [
  {
    rule: 'no API role creates anything',
    query: `
      select format('%s creates in %I', role, nspname) as finding from pg_namespace, ${API_ROLES}
      where nspname !~ '^pg_(toast|temp)' and has_schema_privilege(role, pg_namespace.oid, 'create')
      union all
      select format('%s creates schemas', role) from ${API_ROLES}
      where has_database_privilege(role, current_database(), 'create')`,
    fault: 'grant create on schema public to authenticated',
    finding: 'authenticated creates in public',
  },
  {
    rule: 'an API role can use only its own schemas',
    query: `
      select format('%s enters %I', role, nspname) as finding from pg_namespace, ${API_ROLES}
      where nspname !~ '^(pg_|information_schema$)' and has_schema_privilege(role, pg_namespace.oid, 'usage')
        and not exists (select from ${DOORS} where doors.role = api.role and doors.schema = nspname)`,
    fault: 'grant usage on schema graphile_worker to service_role',
    finding: 'service_role enters graphile_worker',
  },
  {
    rule: 'none of our objects is granted to PUBLIC',
    query: `
      select format('%s on %I.%I', privilege_type, nspname, relname) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace, aclexplode(relacl)
      where nspname = any ($1) and grantee = 0
      union all
      select format('%s on %I.%I (%I)', privilege_type, nspname, relname, attname)
      from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace,
        aclexplode(attacl)
      where nspname = any ($1) and grantee = 0
      union all
      select format('%s on schema %I', privilege_type, nspname)
      from pg_namespace, aclexplode(nspacl) where nspname = any ($1) and grantee = 0`,
    fault: 'grant select (email) on auth.users to public',
    finding: 'SELECT on auth.users (email)',
  },
  {
    rule: 'an API role may only read and write rows of a table',
    query: `
      select format('%s on %I.%I to %s', privilege_type, nspname, relname, grantee::regrole) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace, aclexplode(relacl) as acl
      where nspname = any ($1) and relkind <> 'S' and grantee <> relowner
        and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`,
    fault: 'grant truncate on public.items to service_role',
    finding: 'TRUNCATE on public.items to service_role',
  },
  {
    rule: 'no privilege has the grant option',
    query: `
      select format('%s on %I.%I to %s', privilege_type, nspname, relname, grantee::regrole) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace, aclexplode(relacl) as acl
      where nspname = any ($1) and is_grantable and grantee <> relowner`,
    fault: 'grant select on public.items to authenticated with grant option',
    finding: 'SELECT on public.items to authenticated',
  },
  {
    rule: 'API roles own no table, cannot log in, and only the service passes row-level security',
    query: `
      select format('%s owns %I.%I', role, nspname, relname) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace, ${API_ROLES}
      where relowner = role::regrole
      union all
      select rolname || ' may do more than an API role' from pg_roles
      where rolname in ('anon', 'authenticated', 'service_role')
        and (rolsuper or rolcreaterole or rolcreatedb or rolcanlogin or rolreplication
          or rolbypassrls <> (rolname = 'service_role'))
      union all
      select format('%s is a member of %s', member::regrole, roleid::regrole) from pg_auth_members
      where member::regrole::text in ('anon', 'authenticated', 'service_role')`,
    fault: 'alter table public.items owner to service_role',
    finding: 'service_role owns public.items',
  },
];

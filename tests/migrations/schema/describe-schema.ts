import type { ClientBase } from 'pg';
import { describeFunctions } from './describe-functions.ts';
import { describeGrants, type Grant } from './describe-grants.ts';
import { describeRelations } from './describe-relation.ts';
import { refuseUnknownKinds } from './refuse-unknown-kinds.ts';

const SCHEMAS = ['public', 'auth', 'storage', 'realtime', 'internal'];

/**
 * Returns the schema as SQL, read from the catalogue of a database. Equal schemas give the same text on every supported
 * PostgreSQL.
 *
 * @throws Error for a kind of object that it cannot describe.
 */
export async function describeSchema(client: ClientBase): Promise<string> {
  // With an empty search path, PostgreSQL prints every name with its schema.
  await client.query("set search_path = ''");
  await refuseUnknownKinds(client, SCHEMAS);
  const sections = [await describeRoles(client)];
  for (const schema of SCHEMAS) {
    sections.push(await describeSchemaItself(client, schema));
    sections.push(...(await describeRelations(client, schema)));
    sections.push(...(await describeFunctions(client, schema)));
  }
  sections.push(await describePublications(client), await describeJobQueue(client));
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

async function describeRoles(client: ClientBase): Promise<string> {
  const roles = await client.query<{ text: string }>(
    `select concat_ws(' ', 'create role', quote_ident(rolname), case when rolcanlogin then 'login' else 'nologin' end,
       case when rolinherit then 'inherit' else 'noinherit' end, case when rolbypassrls then 'bypassrls' end,
       case when rolsuper then 'superuser' end) || ';' as text
     from pg_roles where rolname in ('anon', 'authenticated', 'service_role') order by rolname`,
  );
  const defaults = await client.query<{ text: string }>(
    `select format('-- A new %s%s is granted to %s.',
       case defaclobjtype when 'f' then 'function' when 'r' then 'table' when 'S' then 'sequence' when 'T' then 'type'
         else 'schema' end,
       case when defaclnamespace = 0 then '' else ' in ' || defaclnamespace::regnamespace end,
       coalesce((select string_agg(case grantee when 0 then 'everybody' else grantee::regrole::text end, ', ')
         from aclexplode(defaclacl) where grantee <> defaclrole), 'nobody')) as text
     from pg_default_acl where defaclrole = current_user::regrole order by defaclobjtype`,
  );
  return [...roles.rows, ...defaults.rows].map(({ text }) => text).join('\n');
}

async function describeSchemaItself(client: ClientBase, schema: string): Promise<string> {
  const grants = await client.query<Grant>(
    `select case grantee when 0 then 'public' else grantee::regrole::text end as grantee,
       lower(privilege_type) as privilege, null as columns
     from pg_namespace, aclexplode(nspacl) where nspname = $1 and grantee <> nspowner order by pg_get_userbyid(grantee), privilege_type collate "C"`,
    [schema],
  );
  const comment = await client.query<{ text: string | null }>(
    `select obj_description(oid, 'pg_namespace') as text from pg_namespace where nspname = $1 and nspname <> 'public'`,
    [schema],
  );
  const words = comment.rows[0]?.text ?? null;
  return [
    `-- ${'-'.repeat(60)} ${schema}`,
    ...(schema === 'public' ? [] : [`create schema ${schema};`]),
    ...(words === null ? [] : [`comment on schema ${schema} is '${words.replaceAll("'", "''")}';`]),
    ...describeGrants('schema', schema, grants.rows),
  ].join('\n');
}

async function describePublications(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ text: string }>(
    `select format('create publication %I', pubname) || coalesce(' for table ' ||
       (select string_agg(prrelid::regclass::text, ', ' order by prrelid::regclass::text collate "C") from pg_publication_rel
          where prpubid = pg_publication.oid), '') || ';' as text
     from pg_publication order by pubname`,
  );
  return rows.map(({ text }) => text).join('\n');
}

async function describeJobQueue(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ revision: number }>(
    'select max(id) as revision from graphile_worker.migrations',
  );
  return `-- The schema graphile_worker is its library's own, at its revision ${rows[0]?.revision}.`;
}

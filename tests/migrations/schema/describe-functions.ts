import type { ClientBase } from 'pg';
import { describeGrants, type Grant } from './describe-grants.ts';

interface DescribedFunction {
  readonly name: string;
  readonly definition: string;
  readonly owner: string | null;
  readonly comment: string | null;
  readonly executors: string[];
}

/** Returns the functions of a schema as SQL, with their owners and who may execute them. */
export async function describeFunctions(client: ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<DescribedFunction>(
    `select pg_proc.oid::regprocedure::text as name, pg_get_functiondef(pg_proc.oid) as definition,
       nullif(pg_get_userbyid(proowner), current_user) as owner,
       format('comment on function %s is %L;', pg_proc.oid::regprocedure, obj_description(pg_proc.oid, 'pg_proc')) as comment,
       array(
         select case grantee when 0 then 'public' else grantee::regrole::text end
         from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee <> proowner order by pg_get_userbyid(grantee)
       ) as executors
     from pg_proc where pronamespace = $1::regnamespace order by pg_proc.oid::regprocedure::text collate "C"`,
    [schema],
  );
  return rows.map(({ name, definition, owner, comment, executors }) => {
    const grants = executors.map((grantee): Grant => ({ grantee, privilege: 'execute', columns: null }));
    return [
      `${definition.trimEnd()};`,
      ...(owner === null ? [] : [`alter function ${name} owner to ${owner};`]),
      ...(comment?.endsWith(' is NULL;') ? [] : [comment]),
      ...describeGrants('function', name, grants),
    ].join('\n');
  });
}

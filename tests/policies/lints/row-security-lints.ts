import type { CatalogueLint } from '../catalogue-lint.ts';

const EVERY_POLICY = `
  (select format('%I.%I', nspname, relname) as relation, polname, polcmd, polroles, polqual is null as unconditional,
     coalesce(pg_get_expr(polqual, polrelid), '') as using_condition,
     coalesce(pg_get_expr(polwithcheck, polrelid), '') as check_condition
   from pg_policy join pg_class on pg_class.oid = polrelid join pg_namespace on pg_namespace.oid = relnamespace
   where nspname = any ($1)) as policies`;

export const ROW_SECURITY_LINTS: readonly CatalogueLint[] = [
  {
    rule: 'row-level security is on and forced on every table',
    query: `
      select format('%I.%I', nspname, relname) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = any ($1) and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)`,
    fault: 'create table public.bare (id int); alter table public.bare enable row level security',
    finding: 'public.bare',
  },
  {
    rule: 'a view has the rights of its reader',
    query: `
      select format('%I.%I', nspname, relname) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = any ($1) and relkind = 'v'
        and coalesce((select option_value from pg_options_to_table(reloptions)
          where option_name = 'security_invoker'), 'false') not in ('true', 'on', '1')`,
    fault: 'create view public.all_users as select * from auth.users',
    finding: 'public.all_users',
  },
  {
    rule: 'no API role reads a materialized view or a foreign table, which row-level security cannot guard',
    query: `
      select format('%s reads %I.%I', role, nspname, relname) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace,
        (values ('anon'), ('authenticated')) as api (role)
      where nspname = any ($1) and relkind in ('m', 'f') and has_any_column_privilege(role, pg_class.oid, 'select')`,
    fault: 'create materialized view public.frozen as select 1 as one; grant select on public.frozen to anon',
    finding: 'anon reads public.frozen',
  },
  {
    rule: 'no policy allows every row',
    query: `
      select format('%s: %s', relation, polname) as finding from ${EVERY_POLICY}
      where using_condition in ('true', '(1 = 1)') or check_condition in ('true', '(1 = 1)')`,
    fault: 'create policy "open" on public.items for select to anon using (true)',
    finding: 'public.items: open',
  },
  {
    rule: 'every policy names its roles, and only API roles',
    query: `
      select format('%s: %s', relation, polname) as finding from ${EVERY_POLICY}
      where exists (
        select from unnest(polroles) as role
        where role = 0 or pg_get_userbyid(role) not in ('anon', 'authenticated', 'service_role')
      )`,
    fault: 'create policy "any_role" on public.items for select using (user_id = (select auth.uid()))',
    finding: 'public.items: any_role',
  },
  {
    rule: 'no policy trusts metadata that users can change',
    query: `
      select format('%s: %s', relation, polname) as finding from ${EVERY_POLICY}
      where using_condition || check_condition ~ '(user_metadata|raw_user_meta_data)'`,
    fault: `create policy "boss" on public.items for select to authenticated
      using ((auth.jwt() -> 'user_metadata' ->> 'boss')::boolean)`,
    finding: 'public.items: boss',
  },
  {
    rule: 'a policy reads the caller once, and not for each row',
    query: `
      select format('%s: %s', relation, polname) as finding from ${EVERY_POLICY}
      where replace(replace(replace(using_condition || check_condition,
          '( SELECT auth.uid() AS uid)', ''), '( SELECT auth.jwt() AS jwt)', ''), '( SELECT auth.role() AS role)', '')
        ~ '(auth\\.(uid|jwt|role)|current_setting)\\('`,
    fault: 'create policy "slow" on public.items for select to authenticated using (user_id = auth.uid())',
    finding: 'public.items: slow',
  },
];

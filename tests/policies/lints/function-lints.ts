import type { CatalogueLint } from '../catalogue-lint.ts';

export const FUNCTION_LINTS: readonly CatalogueLint[] = [
  {
    rule: 'a function has an empty search_path, so that no caller can shadow a table or operator',
    // A plain calculation in SQL may go without, for a setting would keep PostgreSQL from folding it into its query.
    query: `
      select pg_proc.oid::regprocedure::text as finding
      from pg_proc join pg_namespace on pg_namespace.oid = pronamespace join pg_language on pg_language.oid = prolang
      where nspname = any ($1) and not coalesce(proconfig @> array['search_path=""'], false)
        and not (lanname = 'sql' and provolatile = 'i' and not prosecdef)`,
    fault: `create function public.loose() returns int language sql security definer set search_path = public
      as 'select 1'`,
    finding: 'loose()',
  },
  {
    rule: 'no function is executable by PUBLIC',
    query: `
      select pg_proc.oid::regprocedure::text as finding
      from pg_proc join pg_namespace on pg_namespace.oid = pronamespace,
        aclexplode(coalesce(proacl, acldefault('f', proowner))) as privilege
      where (nspname = any ($1) or nspname = 'graphile_worker') and grantee = 0`,
    fault: `create function public.open_to_all() returns int language sql set search_path = '' as 'select 1';
      grant execute on function public.open_to_all() to public`,
    finding: 'open_to_all()',
  },
  {
    rule: 'a new function is executable by no role until one is granted',
    query: `
      select 'functions are executable by PUBLIC by default' as finding
      where not exists (
        select from pg_default_acl
        where defaclobjtype = 'f' and defaclnamespace = 0 and defaclrole = (
            select proowner from pg_proc where oid = 'auth.uid()'::regprocedure
          ) and not exists (select from aclexplode(defaclacl) where grantee = 0)
      )`,
    fault: 'alter default privileges grant execute on functions to public',
    finding: 'functions are executable by PUBLIC by default',
  },
];

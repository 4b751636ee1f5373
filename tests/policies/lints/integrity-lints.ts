import type { CatalogueLint } from '../catalogue-lint.ts';

export const INTEGRITY_LINTS: readonly CatalogueLint[] = [
  {
    rule: 'every table has a primary key',
    query: `
      select format('%I.%I', nspname, relname) as finding
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = any ($1) and relkind in ('r', 'p')
        and not exists (select from pg_constraint where conrelid = pg_class.oid and contype = 'p')`,
    fault: 'create table public.heap (id int)',
    finding: 'public.heap',
  },
  {
    rule: 'every foreign key has an index, so that deleting an account reads no whole table',
    query: `
      select format('%s: %s', conrelid::regclass, conname) as finding
      from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
      where nspname = any ($1) and contype = 'f' and not exists (
        select from pg_index
        where indrelid = conrelid
          -- A partial one that has every row with a reference serves as well.
          and (indpred is null or pg_get_expr(indpred, indrelid) = (
            select format('(%I IS NOT NULL)', attname) from pg_attribute where attrelid = conrelid and attnum = conkey[1]
          ))
          and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
      )`,
    fault: 'create table public.slow (id int primary key, owner_id uuid references auth.users)',
    finding: 'slow: slow_owner_id_fkey',
  },
  {
    rule: 'every constraint is validated for earlier rows',
    query: `
      select format('%s: %s', conrelid::regclass, conname) as finding
      from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
      where nspname = any ($1) and not convalidated`,
    fault: "alter table public.items add constraint later check (item_name <> '') not valid",
    finding: 'items: later',
  },
];

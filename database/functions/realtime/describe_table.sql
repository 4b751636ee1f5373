-- What a server must know of a published table to tell one role of its changes; null for any other table.
-- `visible` is what the role's SELECT policies say of a row that goes by the table's name: null where the role may
-- see every row. All names and expressions come out quoted and qualified, fit to stand in a statement.
create or replace function realtime.describe_table(schema_name text, table_name text, role_name text) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select pg_catalog.jsonb_build_object(
        'schema', namespace.nspname,
        'table', class.relname,
        'identifier', class.oid::regclass::text,
        'alias', pg_catalog.quote_ident(class.relname),
        'captured', exists (
          select from pg_catalog.pg_trigger where tgrelid = class.oid and tgname = 'realtime_capture' and not tgisinternal
        ),
        'rowSecurity', guarded,
        'oldValues', class.relreplident = 'f',
        'columns', (
          select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
              'name', attname,
              'identifier', pg_catalog.quote_ident(attname),
              'type', type.typname,
              'cast', pg_catalog.format_type(atttypid, null),
              -- Whether two values of it are equal exactly when their JSON forms are.
              'exact', type.typname in ('uuid', 'int2', 'int4', 'bool', 'text', 'varchar')
                and coalesce((select collisdeterministic from pg_catalog.pg_collation where oid = attcollation), true),
              'key', attnum = any (coalesce(key.indkey::int2[], '{}')),
              'readable', pg_catalog.has_column_privilege(role.oid, class.oid, attnum, 'SELECT')
            ) order by attnum)
            from pg_catalog.pg_attribute
            join pg_catalog.pg_type as type on type.oid = atttypid
            where attrelid = class.oid and attnum > 0 and not attisdropped
        ),
        'visible', case when guarded then (
          select pg_catalog.concat_ws(' and ',
              '(' || coalesce(pg_catalog.string_agg(term, ' or ') filter (where polpermissive), 'false') || ')',
              pg_catalog.string_agg(term, ' and ') filter (where not polpermissive))
            from (
              select polpermissive, '(' || coalesce(pg_catalog.pg_get_expr(polqual, polrelid), 'true') || ')' as term
                from pg_catalog.pg_policy
                where polrelid = class.oid and polcmd in ('r', '*') and exists (
                  select from pg_catalog.unnest(polroles) as granted
                    where granted = 0 or pg_catalog.pg_has_role(role.oid, granted, 'USAGE')
                )
            ) as policy
        ) end
      )
      from pg_catalog.pg_publication_tables as published
      join pg_catalog.pg_namespace as namespace on namespace.nspname = published.schemaname
      join pg_catalog.pg_class as class on class.relnamespace = namespace.oid and class.relname = published.tablename
      join pg_catalog.pg_roles as role on role.rolname = role_name
      left join pg_catalog.pg_index as key on key.indrelid = class.oid and key.indisprimary
      cross join lateral (
        select class.relrowsecurity and not role.rolbypassrls and not role.rolsuper as guarded
      ) as security
      where published.pubname = 'supabase_realtime' and schemaname = schema_name and tablename = table_name
  $$;

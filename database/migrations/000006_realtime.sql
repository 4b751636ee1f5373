-- kind: compatible
-- Tables that tell their changes: those of the publication supabase_realtime, each with one trigger that notifies.

-- The publication is only the list of tables, under the name that existing SQL adds tables to: no replication slot reads it.
create publication supabase_realtime;

-- Tells every server of a change, in the transaction that makes it: PostgreSQL delivers notifications of committed
-- transactions only, in commit order, and those of one transaction together. NOTIFY takes less than 8000 bytes, so a
-- larger change goes in parts, `id#part/parts#base64`. The trigger's arguments are the primary key's columns.
create function realtime.capture_change() returns trigger
  language plpgsql
  set search_path = ''
  -- Times in the records are told in UTC, whatever the session that writes has set.
  set timezone = 'UTC'
  as $$
declare
  part_bytes constant integer := 5700;
  most_bytes constant integer := 1000000;
  -- To the microsecond: of two notifications with one text in one transaction PostgreSQL would deliver only one.
  at text := pg_catalog.to_char(pg_catalog.clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  new_row jsonb := case when tg_op <> 'DELETE' then pg_catalog.to_jsonb(new) end;
  old_row jsonb := case when tg_op <> 'INSERT' then pg_catalog.to_jsonb(old) end;
  large boolean := false;
  change bytea;
  parts integer;
begin
  if tg_op = 'UPDATE' and (select relreplident from pg_catalog.pg_class where oid = tg_relid) <> 'f' then
    select pg_catalog.jsonb_object_agg(name, old_row -> name) into old_row from pg_catalog.unnest(tg_argv) as name;
  end if;
  for attempt in 1..2 loop
    change := pg_catalog.convert_to(pg_catalog.jsonb_build_object(
      'schema', tg_table_schema, 'table', tg_table_name, 'type', tg_op, 'at', at,
      'record', new_row, 'old_record', old_row, 'large', large
    )::text, 'UTF8');
    exit when pg_catalog.octet_length(change) <= most_bytes;
    large := true;
    select pg_catalog.jsonb_object_agg(key, value) into new_row
      from pg_catalog.jsonb_each(new_row) where pg_catalog.octet_length(value::text) <= 64;
    select pg_catalog.jsonb_object_agg(key, value) into old_row
      from pg_catalog.jsonb_each(old_row) where pg_catalog.octet_length(value::text) <= 64;
  end loop;

  if pg_catalog.octet_length(change) < 7900 then
    perform pg_catalog.pg_notify('realtime_changes', pg_catalog.convert_from(change, 'UTF8'));
    return null;
  end if;
  parts := (pg_catalog.octet_length(change) + part_bytes - 1) / part_bytes;
  for part in 0..parts - 1 loop
    perform pg_catalog.pg_notify('realtime_changes', pg_catalog.format('%s#%s/%s#%s', at, part + 1, parts,
      pg_catalog.encode(pg_catalog.substr(change, part * part_bytes + 1, part_bytes), 'base64')));
  end loop;
  return null;
end
$$;

-- Makes a table that is in the publication tell its changes. Called again after its primary key changed, it follows.
create function realtime.capture_table(target regclass) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  key_columns text;
begin
  select pg_catalog.string_agg(pg_catalog.quote_literal(attname), ', ' order by pg_catalog.array_position(indkey::int2[], attnum))
    into key_columns
    from pg_catalog.pg_index
    join pg_catalog.pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = target and indisprimary;
  execute pg_catalog.format(
    'create or replace trigger realtime_capture after insert or update or delete on %s
       for each row execute function realtime.capture_change(%s)', target, key_columns);
end
$$;

-- Adds a table to the publication and makes it tell its changes.
create function realtime.publish_table(target regclass) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  execute pg_catalog.format('alter publication supabase_realtime add table %s', target);
  perform realtime.capture_table(target);
end
$$;

-- What a server must know of a published table to tell one role of its changes; null for any other table.
-- `visible` is what the role's SELECT policies say of a row that goes by the table's name: null where the role may
-- see every row. All names and expressions come out quoted and qualified, fit to stand in a statement.
create function realtime.describe_table(schema_name text, table_name text, role_name text) returns jsonb
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

grant execute on function realtime.describe_table(text, text, text) to service_role;

select realtime.publish_table('public.messages');
select realtime.publish_table('public.items');
select realtime.publish_table('public.channel_openings');

-- A session that ended takes its channels with it, on every server.
create function internal.announce_session_end() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  perform pg_catalog.pg_notify('session_ended', old.id::text);
  return null;
end
$$;

create trigger sessions_announce_end after delete on auth.sessions
  for each row execute function internal.announce_session_end();

-- Tells every server of a change, in the transaction that makes it: PostgreSQL delivers notifications of committed
-- transactions only, in commit order, and those of one transaction together. NOTIFY takes less than 8000 bytes, so a
-- larger change goes in parts, `id#part/parts#base64`. The trigger's arguments are the primary key's columns.
create or replace function realtime.capture_change() returns trigger
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

-- For a trigger that tells a channel of each change of its table. As realtime.send, it fails no write.
create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record,
  level text default 'ROW'
) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  if level is distinct from 'ROW' then
    raise exception 'realtime.broadcast_changes is for triggers that run for each row' using errcode = '22023';
  end if;
  perform realtime.send(pg_catalog.jsonb_build_object(
    'id', pg_catalog.gen_random_uuid(), 'operation', operation, 'table', table_name, 'schema', table_schema,
    'record', pg_catalog.to_jsonb(new), 'old_record', pg_catalog.to_jsonb(old)
  ), event_name, topic_name);
exception when others then
  raise warning 'The broadcast could not be sent: %', sqlerrm;
end
$$;

grant execute on function realtime.broadcast_changes(text, text, text, text, text, record, record, text)
  to anon, authenticated;

create or replace function realtime.announce_presence() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  place realtime.presences := coalesce(new, old);
begin
  perform realtime.tell('realtime_presence', pg_catalog.json_build_object(
    'id', pg_catalog.gen_random_uuid(), 'topic', place.topic, 'private', place.private, 'key', place.key,
    'left', case when tg_op <> 'INSERT' then old.payload || pg_catalog.jsonb_build_object('phx_ref', old.ref) end,
    'joined', case when tg_op <> 'DELETE' then new.payload || pg_catalog.jsonb_build_object('phx_ref', new.ref)
      || case when tg_op = 'UPDATE' then pg_catalog.jsonb_build_object('phx_ref_prev', old.ref) else '{}' end end
  )::text);
  return null;
end
$$;

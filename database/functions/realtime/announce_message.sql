-- Definer: whoever a policy lets insert a message tells of it, and needs no other right.
create or replace function realtime.announce_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if new.extension = 'broadcast' then
    perform realtime.tell('realtime_broadcast', pg_catalog.json_build_object(
      'id', new.id, 'topic', new.topic, 'private', new.private, 'event', coalesce(new.event, ''),
      'payload', case when new.binary_payload is null then coalesce(new.payload, '{}')::text end,
      'bytes', pg_catalog.encode(new.binary_payload, 'base64'), 'meta', pg_catalog.json_build_object('id', new.id)
    )::text);
  end if;
  return null;
end
$$;

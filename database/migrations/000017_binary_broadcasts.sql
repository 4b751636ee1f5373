-- kind: compatible
-- Broadcasts of bytes that are made in the database, for clients of protocol 2.0.0.

alter table realtime.messages add column binary_payload bytea;

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

-- As realtime.send, for a payload of bytes.
create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform pg_catalog.set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'The broadcast could not be sent: %', sqlerrm;
end
$$;

grant execute on function realtime.send_binary(bytea, text, text, boolean) to service_role;

-- As realtime.send, for a payload of bytes.
create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
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

grant execute on function realtime.send_binary(bytea, text, text, boolean) to anon, authenticated;

-- Tells a channel something from SQL, where the policies of realtime.messages let the caller. What goes wrong is a
-- warning: a trigger that calls it must not fail the write that it belongs to. So every role may call it.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform pg_catalog.set_config('realtime.topic', topic, true);
  insert into realtime.messages (payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'The broadcast could not be sent: %', sqlerrm;
end
$$;

grant execute on function realtime.send(jsonb, text, text, boolean) to anon, authenticated;

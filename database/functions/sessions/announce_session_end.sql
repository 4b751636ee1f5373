-- A session that ended takes its channels with it, on every server.
create or replace function internal.announce_session_end() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  perform pg_catalog.pg_notify('session_ended', old.id::text);
  return null;
end
$$;

-- What a caller may do on a private channel: {"broadcast": {"read", "write"}, "presence": {"read", "write"}}.
-- Policies look at rows, so it makes some, and takes them back: nothing is kept and nothing is told.
create or replace function realtime.access_to(topic_name text, role_name text, claims jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
declare
  kind text;
  probe uuid;
  reads boolean;
  writes boolean;
  access jsonb := '{}';
begin
  foreach kind in array array['broadcast', 'presence'] loop
    begin
      insert into realtime.messages (topic, extension, private) values (topic_name, kind, true) returning id into probe;
      perform pg_catalog.set_config('realtime.topic', topic_name, true),
        pg_catalog.set_config('request.jwt.claims', claims::text, true),
        pg_catalog.set_config('role', role_name, true);
      begin
        reads := exists (select from realtime.messages where id = probe);
      exception when others then
        reads := false;
      end;
      begin
        insert into realtime.messages (topic, extension, private) values (topic_name, kind, true);
        writes := true;
      exception when others then
        writes := false;
      end;
      raise exception using errcode = 'RT000';
    exception when sqlstate 'RT000' then
      access := access || pg_catalog.jsonb_build_object(
        kind, pg_catalog.jsonb_build_object('read', reads, 'write', writes));
    end;
  end loop;
  return access;
end
$$;

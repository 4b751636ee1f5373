-- Adds a table to the publication and makes it tell its changes.
-- Only for the account that migrates.
create or replace function realtime.publish_table(target regclass) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  execute pg_catalog.format('alter publication supabase_realtime add table %s', target);
  perform realtime.capture_table(target);
end
$$;

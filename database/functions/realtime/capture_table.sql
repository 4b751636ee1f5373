-- Makes a table that is in the publication tell its changes. Called again after its primary key changed, it follows.
-- Only for the account that migrates.
create or replace function realtime.capture_table(target regclass) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  key_columns text;
begin
  select pg_catalog.string_agg(pg_catalog.quote_literal(attname), ', ' order by pg_catalog.array_position(indkey::int2[], attnum))
    into key_columns
    from pg_catalog.pg_index
    join pg_catalog.pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where indrelid = target and indisprimary;
  execute pg_catalog.format(
    'create or replace trigger realtime_capture after insert or update or delete on %s
       for each row execute function realtime.capture_change(%s)', target, key_columns);
end
$$;

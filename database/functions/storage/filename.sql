create or replace function storage.filename(name text) returns text
  language sql immutable
  as $$ select split_part(name, '/', -1) $$;

grant execute on function storage.filename(text) to anon, authenticated;

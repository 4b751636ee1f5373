create or replace function storage.extension(name text) returns text
  language sql immutable
  as $$ select case when position('.' in split_part(name, '/', -1)) > 0 then split_part(split_part(name, '/', -1), '.', -1) else '' end $$;

grant execute on function storage.extension(text) to anon, authenticated;

-- For policies: the folders of an object's name, its last part, and that part's extension.
create or replace function storage.foldername(name text) returns text[]
  language sql immutable
  as $$ select (string_to_array(name, '/'))[1:cardinality(string_to_array(name, '/')) - 1] $$;

grant execute on function storage.foldername(text) to anon, authenticated;

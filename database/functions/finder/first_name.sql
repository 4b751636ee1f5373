create or replace function internal.first_name(full_name text) returns text
  language sql immutable
  as $$ select coalesce(nullif(split_part(btrim(full_name), ' ', 1), ''), 'Item Owner') $$;

grant execute on function internal.first_name(text) to service_role;

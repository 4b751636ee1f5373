create or replace function internal.clean_profile() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.full_name := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.full_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  return new;
end
$$;


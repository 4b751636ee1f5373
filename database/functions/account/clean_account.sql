-- The name that was typed at registration, or that a provider sent.
create or replace function internal.clean_account() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.raw_user_meta_data := pg_catalog.jsonb_set(new.raw_user_meta_data, '{full_name}', pg_catalog.to_jsonb(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.raw_user_meta_data ->> 'full_name', '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g')));
  return new;
end
$$;

-- The triggers call no function of ours: they run as the caller, who may call none of them.
create or replace function internal.clean_item() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.item_name := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.item_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.reward := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.reward, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.description := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.description, '\r\n?', E'\n', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  new.note_to_finders := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.note_to_finders, '\r\n?', E'\n', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g');
  return new;
end
$$;


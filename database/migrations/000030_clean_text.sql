-- kind: compatible
-- Control characters and overrides of the writing direction in what people type: names, items, and messages. They would
-- change how the text beside them is shown, on pages and in emails. New lines and tabs stay where a text has several
-- lines. Existing rows are corrected.

-- As before, and without control characters and overrides of the direction.
create or replace function internal.trim_message(typed text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select btrim(
      regexp_replace(
        replace(replace(typed, E'\r\n', E'\n'), E'\r', E'\n'),
        '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g'),
      E'\t\n\x0B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
        || E'\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF'
    )
  $$;

-- The triggers call no function of ours: they run as the caller, who may call none of them.
create function internal.clean_item() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.item_name := pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(new.item_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
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

create trigger items_clean before insert or update of item_name, description, note_to_finders on public.items
  for each row execute function internal.clean_item();

create function internal.clean_profile() returns trigger
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

create trigger profiles_clean before insert or update of full_name on public.profiles
  for each row execute function internal.clean_profile();

-- The name that was typed at registration, or that a provider sent.
create function internal.clean_account() returns trigger
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

create trigger users_clean before insert or update of raw_user_meta_data on auth.users
  for each row when (pg_catalog.jsonb_typeof(new.raw_user_meta_data -> 'full_name') = 'string')
  execute function internal.clean_account();

update public.items set item_name = case
      when btrim(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(item_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
    '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g')) = '' then 'My Tagged Item' else item_name
    end
  where item_name || coalesce(description, '') || coalesce(note_to_finders, '') ~ '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|\r'
    or item_name ~ '[\u0009-\u000D\u0085\u2028\u2029]+';
update public.profiles set full_name = full_name
  where full_name ~ '[\u0001-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]';
update auth.users set raw_user_meta_data = raw_user_meta_data
  where raw_user_meta_data ->> 'full_name' ~ '[\u0001-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]';
update public.messages set body = coalesce(nullif(internal.trim_message(body), ''), U&'\FFFD')
  where body ~ '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]';

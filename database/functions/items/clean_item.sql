-- The triggers call no function of ours: they run as the caller, who may call none of them. So the blanks are listed here
-- as in internal.trim_blanks.
create or replace function internal.clean_item() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  blanks constant text := E'\t\n\x0B\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
    || E'\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF';
  line_breaks constant text := '[\u0009-\u000D\u0085\u2028\u2029]+';
  controls constant text := '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]';
begin
  new.item_name := btrim(regexp_replace(regexp_replace(new.item_name, line_breaks, ' ', 'g'), controls, '', 'g'), blanks);
  new.reward := nullif(
    btrim(regexp_replace(regexp_replace(new.reward, line_breaks, ' ', 'g'), controls, '', 'g'), blanks), '');
  new.description := nullif(
    btrim(regexp_replace(regexp_replace(new.description, '\r\n?', E'\n', 'g'), controls, '', 'g'), blanks), '');
  new.note_to_finders := nullif(
    btrim(regexp_replace(regexp_replace(new.note_to_finders, '\r\n?', E'\n', 'g'), controls, '', 'g'), blanks), '');
  -- What the registration writes (tag_at_registration) describes no item that its owner has named.
  if new.item_name <> 'My Tagged Item' and new.description = 'Item tagged during registration' then
    new.description := null;
  end if;
  return new;
end
$$;

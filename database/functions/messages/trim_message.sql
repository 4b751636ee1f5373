-- A message as it is kept: line breaks as one character each (forms send two), no control characters and no overrides
-- of the direction, and around it nothing that takes room and shows nothing: JavaScript's white space and the
-- characters of no width. domain/contact/trim-message.ts is the same rule.
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

grant execute on function internal.trim_message(text) to service_role;

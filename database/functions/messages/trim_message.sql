-- A message as it is kept: line breaks as one character each (forms send two), no control characters and no overrides
-- of the direction, and no blanks around it. domain/contact/trim-message.ts is the same rule.
create or replace function internal.trim_message(typed text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select internal.trim_blanks(
      regexp_replace(
        replace(replace(typed, E'\r\n', E'\n'), E'\r', E'\n'),
        '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g')
    )
  $$;

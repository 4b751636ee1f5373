-- The name as it is kept: one line without blanks around it, as internal.trim_blanks lists them. The trigger runs as the
-- caller, who may call no function of ours.
create or replace function internal.clean_profile() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.full_name := btrim(
    regexp_replace(
      regexp_replace(new.full_name, '[\u0009-\u000D\u0085\u2028\u2029]+', ' ', 'g'),
      '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]', '', 'g'),
    E'\t\n\x0B\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
      || E'\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF');
  return new;
end
$$;

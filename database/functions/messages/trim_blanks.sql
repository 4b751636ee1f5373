-- A text without surrounding blanks: what takes room at most, and shows nothing. domain/white-space.ts is the same rule.
create or replace function internal.trim_blanks(typed text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select btrim(
      typed,
      E'\t\n\x0B\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
        || E'\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF'
    )
  $$;

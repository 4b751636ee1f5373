-- Capitals, blanks and dashes are ignored, and letters that look like digits are those digits (Crockford).
create or replace function internal.hash_recovery_code(code text) returns bytea
  language sql immutable
  set search_path = ''
  as $$
    select pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.translate(
      pg_catalog.regexp_replace(pg_catalog.lower(code), '[^0-9a-z]', '', 'g'), 'oil', '011'), 'UTF8'))
  $$;

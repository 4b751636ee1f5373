-- Whether a code carries at least 80 bits: 14 URL-safe characters after the prefix.
create or replace function internal.is_hard_to_guess(qr_id text) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select qr_id ~ '^tgt-[A-Za-z0-9_-]{14,60}$' $$;

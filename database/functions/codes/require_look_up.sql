-- Comes before each look-up of a code that a caller names. Where the caller's address has used up its misses, a code that
-- can be guessed is not looked up: a hit would reveal as much as a miss. PT429 then. The service says so by a setting.
create or replace function internal.require_look_up(qr_id text) returns void
  language plpgsql stable
  set search_path = ''
  as $$
begin
  if current_setting('reunite.misses', true) = 'used up' and not internal.is_hard_to_guess(qr_id) then
    raise exception 'Too many codes without an item were looked up' using errcode = 'PT429';
  end if;
end
$$;

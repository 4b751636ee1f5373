-- What a removed factor proved is proved no more: its sessions fall back to aal1. A session that a passkey raised by itself
-- stays. With the last one the recovery
-- codes go, which are worth nothing without it, and so does what they proved. Before the factor is gone, because its
-- sessions forget which one it was.
create or replace function internal.lower_sessions_of_removed_factor() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  is_last boolean := not exists (
    select from auth.mfa_factors where user_id = old.user_id and status = 'verified' and id <> old.id
  );
begin
  update auth.sessions
    set aal = 'aal1', factor_id = null, amr = (
      select coalesce(pg_catalog.jsonb_agg(entry order by place), '[]')
        from pg_catalog.jsonb_array_elements(amr) with ordinality as entries (entry, place)
        where entry ->> 'method' not in ('totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code')
    )
    where user_id = old.user_id and aal = 'aal2' and (is_last or factor_id = old.id)
      and (passkey_id is null or amr -> 0 ->> 'method' <> 'passkey');
  if is_last then
    delete from auth.recovery_codes where user_id = old.user_id;
  end if;
  return old;
end
$$;

-- Ten new codes in place of all older ones; nobody can ask for the same ones again.
create or replace function public.make_recovery_codes()
  returns text[]
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  caller uuid := auth.uid();
  code text;
  codes text[] := '{}';
  random_bytes bytea;
begin
  if not exists (
    select from auth.sessions
      where id::text = auth.jwt() ->> 'session_id' and user_id = caller and aal = 'aal2' and auth.jwt() ->> 'aal' = 'aal2'
  ) or not exists (select from auth.mfa_factors where user_id = caller and status = 'verified') then
    raise exception 'Recovery codes are made after a second factor was shown' using errcode = '42501';
  end if;
  -- Two calls at once would leave twenty codes.
  perform from auth.users where id = caller for update;
  delete from auth.recovery_codes where user_id = caller;
  for code_number in 1..10 loop
    -- 32 bytes of the server's strong generator, each worth one of 32 letters: 16 letters are 80 bits.
    random_bytes := pg_catalog.sha256(
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    code := '';
    for place in 0..15 loop
      code := code || case when place in (4, 8, 12) then '-' else '' end
        || pg_catalog.substr(alphabet, pg_catalog.get_byte(random_bytes, place) % 32 + 1, 1);
    end loop;
    codes := codes || code;
    insert into auth.recovery_codes (user_id, code_hash) values (caller, internal.hash_recovery_code(code));
  end loop;
  perform internal.make_lasting_change('recovery_codes_made', caller);
  return codes;
end
$$;

grant execute on function public.make_recovery_codes() to authenticated;

-- Raises the caller's session to aal2: a recovery code is a second factor, and to show one is a proof. A caller who has
-- shown no second factor yet counts as a visitor everywhere, so visitors may call it too: the service writes into the
-- claims whose sign-in is unfinished.
create or replace function public.use_recovery_code(code_param text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  claims jsonb := coalesce(auth.jwt() -> 'unfinished_sign_in', auth.jwt());
  caller uuid := (claims ->> 'sub')::uuid;
begin
  delete from auth.recovery_codes where user_id = caller and code_hash = internal.hash_recovery_code(code_param);
  if not found then
    raise exception 'This recovery code is not valid' using errcode = '22023';
  end if;
  update auth.sessions
    set aal = 'aal2', factor_id = null, proved_at = pg_catalog.now(), amr = pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object(
      'method', 'mfa/recovery_code', 'timestamp', pg_catalog.floor(extract(epoch from pg_catalog.now()))::bigint
    )) || amr
    where id::text = claims ->> 'session_id' and user_id = caller;
  if not found then
    raise exception 'The sign-in is over' using errcode = '42501';
  end if;
  perform internal.record_event('recovery_code_used', caller, (claims ->> 'session_id')::uuid);
end
$$;

grant execute on function public.use_recovery_code(text) to anon, authenticated;

-- The rule of the console: the caller has the role, and their session has shown a second factor or a passkey that
-- verified its user, and has a recent proof, because all that an operator does outlives the session. The secret key
-- passes, for the command line. What follows in the transaction counts as an operator's.
-- A look that leaves no entry in the audit log is impossible: a request that the service may still undo, by `Prefer` or
-- because of its form, is refused.
-- Errors: PT400 it may be undone, 42501 no role, PT403 no second factor, or the proof is too old.
create or replace function internal.require_operator() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if (select auth.role()) is distinct from 'service_role' then
    if not exists (select from internal.operators where user_id = (select auth.uid())) then
      raise exception 'This is for operators' using errcode = '42501';
    end if;
    -- The session decides, and not only the token: a token outlives what its session has lost.
    if (select auth.jwt()) ->> 'aal' is distinct from 'aal2' or not exists (
      select from auth.sessions
        where id::text = (select auth.jwt()) ->> 'session_id' and user_id = (select auth.uid()) and aal = 'aal2'
          and internal.is_recent_proof(proved_at, now())
    ) then
      raise exception 'This needs a second factor' using errcode = 'PT403';
    end if;
  end if;
  if current_setting('reunite.may_be_undone', true) = 'yes' then
    raise exception 'What an operator does cannot be undone, filtered, or given another form than JSON' using errcode = 'PT400';
  end if;
  perform set_config('reunite.by_operator', 'on', true);
end
$$;

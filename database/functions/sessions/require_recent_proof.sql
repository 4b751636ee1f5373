-- The rule for what can sign in or recover, and for everything about an account at once: the caller's session has a
-- recent proof. An anonymous account has nothing to prove with.
-- Errors: PT403 the proof is too old.
create or replace function internal.require_recent_proof() returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  if not exists (
    select from auth.sessions as session
      join auth.users as account on account.id = session.user_id
      where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = (select auth.uid())
        and (account.is_anonymous or internal.is_recent_proof(session.proved_at, now()))
  ) then
    raise exception 'This needs a recent sign-in' using errcode = 'PT403';
  end if;
end
$$;

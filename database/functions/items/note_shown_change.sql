-- The caller changed what finders read or how they reach the owner, or hid a conversation. It is logged, for the list of
-- recent changes: a thief may have done it.
create or replace function internal.note_shown_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  owner uuid := to_jsonb(coalesce(new, old)) ->> tg_argv[1];
  session uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
begin
  -- One entry for all changes of a session within a minute: an owner who edits many items reads one line.
  if owner = (select auth.uid()) and not exists (
    select from auth.audit_log
      where user_id = owner and event = tg_argv[0] and session_id is not distinct from session
        and at > now() - interval '1 minute'
  ) then
    perform internal.record_event(tg_argv[0], owner, session);
  end if;
  return null;
end
$$;

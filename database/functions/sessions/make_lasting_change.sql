-- For every change that outlives the session that makes it: one that copies messages to come, moves an item or a code,
-- widens a right, or takes from the owner a way to be reached. A session of the owner's needs a recent proof for it, and
-- the owner is notified. `tests/policies/lasting-changes.ts` lists all of them. What the service does, or what ends with
-- the account, is logged alone. `about_param` is whom it concerns, as the notice says it.
-- Errors: PT403 the proof is too old.
drop function if exists internal.make_lasting_change(text, uuid);
create or replace function internal.make_lasting_change(event_param text, owner_id_param uuid, about_param text default null)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  session uuid := ((select auth.jwt()) ->> 'session_id')::uuid;
  is_by_owner boolean := owner_id_param = (select auth.uid()) and exists (
    select from auth.users where id = owner_id_param and deleted_at is null
  );
begin
  if not coalesce(is_by_owner, false) then
    perform internal.record_event(event_param, owner_id_param);
    return;
  end if;
  perform internal.require_recent_proof();
  perform internal.record_event(event_param, owner_id_param, session);
  perform internal.enqueue_change_notice(event_param, owner_id_param, session, about_param);
end
$$;

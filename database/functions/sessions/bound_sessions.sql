-- Ends the account's least recently used sessions beyond 100. Sessions that have shown the second factor are counted
-- apart from those that have not, so that a caller with the password alone ends none of them. A session that another
-- transaction holds is in use, and waiting for it could deadlock.
create or replace function internal.bound_sessions() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  delete from auth.sessions where id = any (array(
    select beyond.id from auth.sessions as beyond
      where beyond.id = any (array(
        select session.id from auth.sessions as session
          where session.user_id = new.user_id and session.aal = new.aal
          order by session.id = new.id desc,
            exists (
              select from auth.known_devices as device
                where device.user_id = session.user_id and device.device_hash = session.device_hash
                  and device.has_shown_factor
            ) desc,
            greatest(session.created_at, session.refreshed_at) desc
          offset 100
      ))
      for update skip locked
  ));
  return null;
end
$$;

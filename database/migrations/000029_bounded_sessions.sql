-- kind: compatible
-- Bounds the sessions and the known devices of an account. Sign-ins that succeed are not limited, so a program that
-- signs in again and again would otherwise add a row of each every time.

-- Ends the account's least recently used sessions beyond 100. Sessions that have shown the second factor are counted
-- apart from those that have not, so that a caller with the password alone ends none of them. A session that another
-- transaction holds is in use, and waiting for it could deadlock.
create function internal.bound_sessions() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  delete from auth.sessions where id = any (array(
    select beyond.id from auth.sessions as beyond
      where beyond.id = any (array(
        select session.id from auth.sessions as session
          where session.user_id = new.user_id and session.aal = new.aal
          order by session.id = new.id desc, greatest(session.created_at, session.refreshed_at) desc
          offset 100
      ))
      for update skip locked
  ));
  return null;
end
$$;

create trigger sessions_bound after insert or update of aal on auth.sessions
  for each row execute function internal.bound_sessions();

-- The same for devices: those that were not used for the longest time go first.
create function internal.bound_known_devices() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  delete from auth.known_devices
    where user_id = new.user_id and device_hash = any (array(
      select beyond.device_hash from auth.known_devices as beyond
        where beyond.user_id = new.user_id and beyond.device_hash = any (array(
          select device.device_hash from auth.known_devices as device
            where device.user_id = new.user_id and device.has_shown_factor = new.has_shown_factor
            order by device.device_hash = new.device_hash desc, device.seen_at desc
            offset 100
        ))
        for update skip locked
    ));
  return null;
end
$$;

create trigger known_devices_bound after insert or update of has_shown_factor on auth.known_devices
  for each row execute function internal.bound_known_devices();

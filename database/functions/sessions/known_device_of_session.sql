-- The device that a session began on, in hexadecimal, where the account knows it; null for any other.
create or replace function internal.known_device_of_session(session_param uuid) returns text
  language sql stable
  set search_path = ''
  as $$
    select pg_catalog.encode(session.device_hash, 'hex') from auth.sessions as session
      where session.id = session_param and internal.is_known_device(session.user_id, session.device_hash)
  $$;

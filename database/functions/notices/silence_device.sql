-- A session removes the pushes of another one, whose device then stays silent.
create or replace function internal.silence_device() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if old.session_id::text is distinct from (select auth.jwt()) ->> 'session_id' then
    perform internal.make_lasting_change('device_silenced', old.user_id);
  end if;
  return null;
end
$$;

-- Whichever way a session shows a second factor, by its code or by a recovery code.
create or replace function internal.remember_device_with_factor() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  insert into auth.known_devices as known (user_id, device_hash, has_shown_factor)
    values (new.user_id, new.device_hash, true)
    on conflict (user_id, device_hash) do update set has_shown_factor = true where not known.has_shown_factor;
  return null;
end
$$;

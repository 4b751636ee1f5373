-- The same for devices: those that were not used for the longest time go first.
create or replace function internal.bound_known_devices() returns trigger
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

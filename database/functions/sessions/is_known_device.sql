-- The one place that says which devices an account knows. Errors: none; without a device the result is false.
create or replace function internal.is_known_device(account_param uuid, device_hash_param bytea) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from auth.known_devices as device
        where device.user_id = account_param and device.device_hash = device_hash_param
          and (device.has_shown_factor or not exists (
            select from auth.mfa_factors as factor where factor.user_id = account_param and factor.status = 'verified'
          ))
    )
  $$;

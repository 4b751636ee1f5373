-- kind: compatible
-- A device counts as known only after it has shown the second factor, where the account has one: a password alone must
-- not give a device rights that strangers do not have.

alter table auth.known_devices
  -- A session that began on the device has shown the account's second factor.
  add column has_shown_factor boolean not null default false;
comment on table auth.known_devices is
  'Devices where an account has signed in: the hash of a random value in a cookie. Which of them count, internal.is_known_device says.';

alter table auth.sessions add column device_hash bytea;
comment on column auth.sessions.device_hash is 'What auth.known_devices keeps of the device that the session began on. Null for sessions from before it was kept.';

-- The one place that says which devices an account knows. Errors: none; without a device the result is false.
create function internal.is_known_device(account_param uuid, device_hash_param bytea) returns boolean
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

-- The device that a session began on, in hexadecimal, where the account knows it; null for any other.
create function internal.known_device_of_session(session_param uuid) returns text
  language sql stable
  set search_path = ''
  as $$
    select pg_catalog.encode(session.device_hash, 'hex') from auth.sessions as session
      where session.id = session_param and internal.is_known_device(session.user_id, session.device_hash)
  $$;

-- Whichever way a session shows a second factor, by its code or by a recovery code.
create function internal.remember_device_with_factor() returns trigger
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

create trigger sessions_remember_device after update of aal on auth.sessions
  for each row when (new.aal = 'aal2' and new.device_hash is not null)
  execute function internal.remember_device_with_factor();

grant execute on function internal.is_known_device(uuid, bytea), internal.known_device_of_session(uuid) to service_role;

-- As before, without the new fingerprint of the device.
create or replace function public.export_account(user_id_param uuid)
  returns jsonb
  language sql
  stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'exported_at', now(),
        'account', (
          select jsonb_build_object(
              'id', account.id, 'email', coalesce(account.email, account.claimed_email), 'email_confirmed_at', account.email_confirmed_at,
              'phone', account.phone, 'phone_confirmed_at', account.phone_confirmed_at,
              'new_email', account.new_email, 'new_phone', account.new_phone, 'created_at', account.created_at,
              'updated_at', account.updated_at, 'last_sign_in_at', account.last_sign_in_at,
              'has_password', account.encrypted_password is not null,
              'user_metadata', account.raw_user_meta_data, 'app_metadata', account.raw_app_meta_data
            )
            from auth.users as account where account.id = person.id
        ),
        'profile', (select to_jsonb(profile) from public.profiles as profile where profile.id = person.id),
        'identities', (
          select coalesce(jsonb_agg(to_jsonb(identity) order by identity.created_at), '[]')
            from auth.identities as identity where identity.user_id = person.id
        ),
        'codes', (
          select coalesce(jsonb_agg(to_jsonb(code) order by code.qr_id), '[]')
            from public.qr_codes as code where code.owner_id = person.id
        ),
        'items', (
          select coalesce(jsonb_agg(to_jsonb(item) order by item.created_at), '[]')
            from public.items as item where item.user_id = person.id
        ),
        'conversations', (
          -- Its key is the finder's.
          select coalesce(jsonb_agg(to_jsonb(conversation) - 'finder_key_hash' order by conversation.created_at), '[]')
            from public.conversations as conversation where conversation.owner_id = person.id
        ),
        'messages', (
          select coalesce(jsonb_agg(to_jsonb(message) order by message.created_at), '[]')
            from public.messages as message where message.owner_id = person.id
        ),
        'channel_openings', (
          select coalesce(jsonb_agg(to_jsonb(opening) order by opening.opened_at), '[]')
            from public.channel_openings as opening where opening.owner_id = person.id
        ),
        'files', (
          -- Where its bytes are is the service's business.
          select coalesce(jsonb_agg(to_jsonb(file) - 'version' - 'renditions' order by file.created_at), '[]')
            from storage.objects as file where file.owner = person.id
        ),
        'sessions', (
          select coalesce(jsonb_agg(to_jsonb(session) - 'device_hash' order by session.created_at), '[]')
            from auth.sessions as session where session.user_id = person.id
        ),
        'known_devices', (
          select coalesce(jsonb_agg(to_jsonb(device) - 'device_hash' order by device.created_at), '[]')
            from auth.known_devices as device where device.user_id = person.id
        ),
        'second_factors', (
          select coalesce(jsonb_agg(to_jsonb(factor) - 'secret' - 'last_step' order by factor.created_at), '[]')
            from auth.mfa_factors as factor where factor.user_id = person.id
        ),
        'recovery_codes', (
          select coalesce(jsonb_agg(to_jsonb(code) - 'code_hash' order by code.created_at), '[]')
            from auth.recovery_codes as code where code.user_id = person.id
        ),
        'codes_sent', (
          select coalesce(jsonb_agg(
              to_jsonb(sent) - 'token_hash' - 'link_hash' - 'code_challenge' order by sent.created_at
            ), '[]')
            from auth.one_time_tokens as sent where sent.user_id = person.id
        ),
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

-- kind: compatible
-- What belongs to an account as a whole: everything about it to take along, its end, and the number that it proved.

-- Everything that the service keeps about the caller, and nothing of anybody else. Secrets are left out: what they
-- are is of no use to their owner, and of much to whoever finds the file.
create function public.export_my_data() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'exported_at', now(),
        'account', (
          select jsonb_build_object(
              'id', account.id, 'email', account.email, 'email_confirmed_at', account.email_confirmed_at,
              'phone', account.phone, 'phone_confirmed_at', account.phone_confirmed_at,
              'new_email', account.new_email, 'new_phone', account.new_phone, 'created_at', account.created_at,
              'updated_at', account.updated_at, 'last_sign_in_at', account.last_sign_in_at,
              'has_password', account.encrypted_password is not null,
              'user_metadata', account.raw_user_meta_data, 'app_metadata', account.raw_app_meta_data
            )
            from auth.users as account where account.id = caller.id
        ),
        'profile', (select to_jsonb(profile) from public.profiles as profile where profile.id = caller.id),
        'identities', (
          select coalesce(jsonb_agg(to_jsonb(identity) order by identity.created_at), '[]')
            from auth.identities as identity where identity.user_id = caller.id
        ),
        'codes', (
          select coalesce(jsonb_agg(to_jsonb(code) order by code.qr_id), '[]')
            from public.qr_codes as code where code.owner_id = caller.id
        ),
        'items', (
          select coalesce(jsonb_agg(to_jsonb(item) order by item.created_at), '[]')
            from public.items as item where item.user_id = caller.id
        ),
        'conversations', (
          -- Its key is the finder's.
          select coalesce(jsonb_agg(to_jsonb(conversation) - 'finder_key_hash' order by conversation.created_at), '[]')
            from public.conversations as conversation where conversation.owner_id = caller.id
        ),
        'messages', (
          select coalesce(jsonb_agg(to_jsonb(message) order by message.created_at), '[]')
            from public.messages as message where message.owner_id = caller.id
        ),
        'channel_openings', (
          select coalesce(jsonb_agg(to_jsonb(opening) order by opening.opened_at), '[]')
            from public.channel_openings as opening where opening.owner_id = caller.id
        ),
        'files', (
          -- Where its bytes are is the service's business.
          select coalesce(jsonb_agg(to_jsonb(file) - 'version' - 'renditions' order by file.created_at), '[]')
            from storage.objects as file where file.owner = caller.id
        ),
        'sessions', (
          select coalesce(jsonb_agg(to_jsonb(session) order by session.created_at), '[]')
            from auth.sessions as session where session.user_id = caller.id
        ),
        'known_devices', (
          select coalesce(jsonb_agg(to_jsonb(device) - 'device_hash' order by device.created_at), '[]')
            from auth.known_devices as device where device.user_id = caller.id
        ),
        'second_factors', (
          select coalesce(jsonb_agg(to_jsonb(factor) - 'secret' - 'last_step' order by factor.created_at), '[]')
            from auth.mfa_factors as factor where factor.user_id = caller.id
        ),
        'recovery_codes', (
          select coalesce(jsonb_agg(to_jsonb(code) - 'code_hash' order by code.created_at), '[]')
            from auth.recovery_codes as code where code.user_id = caller.id
        ),
        'codes_sent', (
          select coalesce(jsonb_agg(
              to_jsonb(sent) - 'token_hash' - 'link_hash' - 'code_challenge' order by sent.created_at
            ), '[]')
            from auth.one_time_tokens as sent where sent.user_id = caller.id
        ),
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = caller.id
        )
      )
      from (select auth.uid() as id) as caller
      where caller.id is not null
  $$;

-- Ends the caller's account: of the person nothing stays in any table. (The log of security events keeps the random
-- id that the account had.) The stickers that the service issued can be claimed anew; codes that the owner brought
-- along are forgotten.
-- Errors: 42501 nobody is signed in, PT403 the sign-in is older than ten minutes.
create function public.delete_my_account() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  account auth.users;
  proved_at timestamptz;
begin
  -- Held, so that nothing new begins to belong to it.
  select * into account from auth.users where id = (select auth.uid()) for update;
  if not found then
    raise exception 'Only somebody signed in has an account to delete' using errcode = '42501';
  end if;
  -- The session itself knows when it was begun or raised; a token could only be older.
  select to_timestamp(max((entry ->> 'timestamp')::bigint)) into proved_at
    from auth.sessions as session, jsonb_array_elements(session.amr) as entry
    where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = account.id;
  if proved_at is null or proved_at < now() - interval '10 minutes' then
    raise exception 'Deleting an account needs a recent sign-in' using errcode = 'PT403';
  end if;

  delete from public.items where user_id = account.id;
  delete from public.qr_codes where owner_id = account.id and issued_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null where owner_id = account.id;
  -- A development server keeps what it sent.
  delete from internal.development_outbox
    where recipient in (account.email, account.new_email, '+' || account.phone, '+' || account.new_phone,
      (select email from public.profiles where id = account.id),
      (select phone from public.profiles where id = account.id));
  delete from auth.users where id = account.id;
end
$$;

-- The number that an account has proved is the one that its finders reach.
create function internal.follow_phone_of_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.profiles set phone = '+' || new.phone where id = new.id and phone is distinct from '+' || new.phone;
  return null;
end
$$;

create trigger users_follow_phone after update of phone on auth.users
  for each row when (new.phone is not null and new.phone is distinct from old.phone)
  execute function internal.follow_phone_of_user();

-- Whoever has proved a number changes it with a code, not by writing another one down.
create function internal.keep_proved_phone() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from auth.users where id = new.id and phone_confirmed_at is not null and '+' || phone is distinct from new.phone
  ) then
    raise exception 'A proved phone number is changed with a code' using errcode = '42501';
  end if;
  return new;
end
$$;

create trigger profiles_keep_proved_phone before update of phone on public.profiles
  for each row when (new.phone is distinct from old.phone)
  execute function internal.keep_proved_phone();

grant delete on internal.development_outbox to service_role;

grant create on schema public, internal to service_role;
alter function public.export_my_data() owner to service_role;
alter function public.delete_my_account() owner to service_role;
alter function internal.follow_phone_of_user() owner to service_role;
alter function internal.keep_proved_phone() owner to service_role;
revoke create on schema public, internal from service_role;

grant execute on function public.export_my_data(), public.delete_my_account() to authenticated, service_role;

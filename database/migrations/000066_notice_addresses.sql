-- kind: compatible
-- Webhooks and ntfy topics of an owner, which are told of messages (docs/decisions/0080-notice-addresses.md).

create table public.notice_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  kind text not null check (kind in ('webhook', 'ntfy')),
  name text not null check (char_length(name) >= 1 and char_length(name) <= 40 and name ~ '^[^[:cntrl:]]+$' and name = btrim(name)),
  url text not null check (url ~ '^https?://[!-~]+$' and char_length(url) <= 1000),
  token text check (token ~ '^[A-Za-z0-9._~+/=-]+$' and char_length(token) <= 200),
  shows_text boolean not null default false,
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  last_status integer,
  delivered_at timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  ended_at timestamptz,
  unique (user_id, url),
  constraint notice_addresses_token_of_ntfy check (token is null or kind = 'ntfy')
);
create index notice_addresses_ended on public.notice_addresses (ended_at) where ended_at is not null;
comment on column public.notice_addresses.token is 'The access token of an ntfy server. Only the service reads it.';
comment on column public.notice_addresses.shows_text is 'Whether it is told the item''s name and the text of messages.';
comment on column public.notice_addresses.attempted_at is 'When it was last sent something.';
comment on column public.notice_addresses.last_status is 'The HTTP status of that attempt; null where there was no response.';
comment on column public.notice_addresses.delivered_at is 'When it last accepted something.';
comment on column public.notice_addresses.failures is 'How many attempts have failed since.';
comment on column public.notice_addresses.ended_at is 'When it said that it no longer exists, or had failed for a day.';

alter table public.notice_addresses enable row level security;
alter table public.notice_addresses force row level security;
create policy "owners read their own notice addresses" on public.notice_addresses
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners change their own notice addresses" on public.notice_addresses
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "owners delete their own notice addresses" on public.notice_addresses
  for delete to authenticated using (user_id = (select auth.uid()));
grant select (
    id, user_id, kind, name, url, shows_text, created_at, attempted_at, last_status, delivered_at, failing_since, ended_at
  ), update (name, shows_text), delete on public.notice_addresses to authenticated;
grant select, insert, update, delete on public.notice_addresses to service_role;

create function internal.audit_notice_address() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('notice_address_added', new.user_id);
  else
    perform internal.record_event('notice_address_removed', old.user_id);
  end if;
  return null;
end
$$;

-- Adds an address of the caller's, and returns its id and kind. An account has 5.
create function public.add_notice_address(
  kind_param text, name_param text, url_param text, token_param text default null, shows_text_param boolean default false
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_addresses constant integer := 5;
  caller uuid := (select auth.uid());
  added public.notice_addresses;
begin
  -- Addresses of one account are counted one after another.
  perform from public.profiles where id = caller for no key update;
  if not found then
    raise exception 'Only an account has notice addresses' using errcode = '42501';
  end if;
  if (select count(*) from public.notice_addresses where user_id = caller) >= most_addresses then
    raise exception 'An account has at most % notice addresses', most_addresses using errcode = 'PT409';
  end if;
  insert into public.notice_addresses (user_id, kind, name, url, token, shows_text)
    values (caller, kind_param, btrim(name_param), url_param, nullif(token_param, ''), coalesce(shows_text_param, false))
    returning * into added;
  return jsonb_build_object('id', added.id, 'kind', added.kind);
end
$$;

-- Enqueues a notice to one address: about a message, or as a test.
create function internal.enqueue_notice(address_id_param uuid, message_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_notice',
    pg_catalog.json_build_object('address_id', address_id_param, 'message_id', message_id_param),
    job_key := 'send_notice:' || address_id_param || ':' || coalesce(message_id_param::text, 'test'),
    -- Like pushes, they go to addresses that clients chose.
    flags := array['push']
  );
end
$$;

create function internal.enqueue_message_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_notice(address.id, new.id)
    from public.notice_addresses as address
    where address.user_id = new.owner_id and address.ended_at is null;
  return null;
end
$$;

-- Sends a test to an address of the caller's.
create function public.send_test_notice(address_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if not exists (
    select from public.notice_addresses where id = address_id_param and user_id = (select auth.uid())
  ) then
    raise exception 'There is no such notice address' using errcode = 'PT404';
  end if;
  perform internal.enqueue_notice(address_id_param, null);
end
$$;

-- As before, with the notice addresses.
create or replace function public.export_account(user_id_param uuid) returns jsonb
  language sql stable
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
        'notice_settings', (
          select to_jsonb(settings) from public.notice_settings as settings where settings.user_id = person.id
        ),
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
        'push_subscriptions', (
          -- Not the keys, which the browser has.
          select coalesce(jsonb_agg(
              to_jsonb(subscription) - 'p256dh' - 'auth' order by subscription.created_at
            ), '[]')
            from public.push_subscriptions as subscription where subscription.user_id = person.id
        ),
        'notice_addresses', (
          -- Not the access token.
          select coalesce(jsonb_agg(to_jsonb(address) - 'token' order by address.created_at), '[]')
            from public.notice_addresses as address where address.user_id = person.id
        ),
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

create trigger notice_addresses_audit after insert or delete on public.notice_addresses
  for each row execute function internal.audit_notice_address();
create trigger messages_enqueue_notices after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_message_notices();

grant create on schema public, internal to service_role;
alter function internal.audit_notice_address() owner to service_role;
alter function internal.enqueue_message_notices() owner to service_role;
alter function public.add_notice_address(text, text, text, text, boolean) owner to service_role;
alter function public.send_test_notice(uuid) owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function internal.enqueue_notice(uuid, uuid) to service_role;
grant execute on function public.add_notice_address(text, text, text, text, boolean) to authenticated, service_role;
grant execute on function public.send_test_notice(uuid) to authenticated, service_role;

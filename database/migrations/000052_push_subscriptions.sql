-- kind: compatible
-- Web Push: browsers of an owner that show their new messages.

create table public.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null unique references auth.sessions on delete cascade,
  device text not null check (char_length(device) <= 80),
  endpoint text not null unique check (endpoint ~ '^https://[!-~]+$' and char_length(endpoint) <= 1000),
  p256dh text not null check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  server_key text not null check (server_key ~ '^B[A-Za-z0-9_-]{86}$'),
  shows_text boolean not null default false,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  ended_at timestamptz
);
create index push_subscriptions_user on public.push_subscriptions (user_id);
create index push_subscriptions_ended on public.push_subscriptions (ended_at) where ended_at is not null;
comment on column public.push_subscriptions.session_id is 'The session that made it, and with which it ends.';
comment on column public.push_subscriptions.server_key is 'The server''s public key that the browser made it for.';
comment on column public.push_subscriptions.shows_text is 'Whether pushes contain the text of messages, which a lock screen then shows.';
comment on column public.push_subscriptions.delivered_at is 'When the push service last accepted a push.';
comment on column public.push_subscriptions.failures is 'How many attempts have failed since.';
comment on column public.push_subscriptions.ended_at is 'When the push service said that it no longer exists, or had failed for a day.';

alter table public.push_subscriptions enable row level security;
alter table public.push_subscriptions force row level security;
create policy "owners read their own push subscriptions" on public.push_subscriptions
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners change their own push subscriptions" on public.push_subscriptions
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "owners delete their own push subscriptions" on public.push_subscriptions
  for delete to authenticated using (user_id = (select auth.uid()));
-- Not the browser's keys: with them and the server's, anyone could write in the service's name.
grant select (id, user_id, device, endpoint, server_key, shows_text, created_at, delivered_at, failing_since, ended_at),
  update (shows_text), delete on public.push_subscriptions to authenticated;
grant select, insert, update, delete on public.push_subscriptions to service_role;

create function internal.audit_push_subscription() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('push_subscription_added', new.user_id, new.session_id);
  else
    perform internal.record_event('push_subscription_removed', old.user_id, old.session_id);
  end if;
  return null;
end
$$;

-- Stores the subscription of the caller's session, in place of an earlier one of the same session or of the same browser.
-- An account has 10; beyond that the least recently used ones are removed.
create function public.save_push_subscription(
  endpoint_param text, p256dh_param text, auth_param text, server_key_param text
) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_subscriptions constant integer := 10;
  session record;
  saved uuid;
begin
  select own.id, own.user_id, own.device into session
    from auth.sessions as own
    where own.id::text = (select auth.jwt()) ->> 'session_id' and own.user_id = (select auth.uid())
    for key share;
  if not found then
    raise exception 'Only a session has notifications' using errcode = '42501';
  end if;
  -- Subscriptions of one account are counted one after another.
  perform from public.profiles where id = session.user_id for no key update;
  -- The same browser, signed in anew. Who knows its secret is that browser.
  delete from public.push_subscriptions
    where endpoint = endpoint_param and auth = auth_param and session_id <> session.id;
  insert into public.push_subscriptions as subscription
      (user_id, session_id, device, endpoint, p256dh, auth, server_key)
    values (session.user_id, session.id, session.device, endpoint_param, p256dh_param, auth_param, server_key_param)
    on conflict (session_id) do update
      set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, server_key = excluded.server_key,
        failures = 0, failing_since = null, retry_at = null, ended_at = null
    returning subscription.id into saved;
  delete from public.push_subscriptions where id in (
    select id from public.push_subscriptions
      where user_id = session.user_id and id <> saved
      order by ended_at is null desc, coalesce(delivered_at, created_at) desc
      offset most_subscriptions - 1
  );
  return saved;
end
$$;

-- Enqueues a push to one browser: about a message, or as a test.
create function internal.enqueue_push(subscription_id_param uuid, message_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'send_push',
    pg_catalog.json_build_object('subscription_id', subscription_id_param, 'message_id', message_id_param),
    job_key := 'send_push:' || subscription_id_param || ':' || coalesce(message_id_param::text, 'test'),
    flags := array['push']
  );
end
$$;

create function internal.enqueue_message_pushes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_push(subscription.id, new.id)
    from public.push_subscriptions as subscription
    where subscription.user_id = new.owner_id and subscription.ended_at is null;
  return null;
end
$$;

-- Sends a test to a browser of the caller's.
create function public.send_test_push(subscription_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if not exists (
    select from public.push_subscriptions where id = subscription_id_param and user_id = (select auth.uid())
  ) then
    raise exception 'There is no such device' using errcode = 'PT404';
  end if;
  perform internal.enqueue_push(subscription_id_param, null);
end
$$;

-- As before, with the push subscriptions.
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
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

create trigger push_subscriptions_audit after insert or delete on public.push_subscriptions
  for each row execute function internal.audit_push_subscription();
create trigger messages_enqueue_pushes after insert on public.messages
  for each row when (new.sender = 'finder') execute function internal.enqueue_message_pushes();

grant create on schema public, internal to service_role;
alter function internal.audit_push_subscription() owner to service_role;
alter function internal.enqueue_message_pushes() owner to service_role;
alter function public.save_push_subscription(text, text, text, text) owner to service_role;
alter function public.send_test_push(uuid) owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function internal.enqueue_push(uuid, uuid) to service_role;
grant execute on function public.save_push_subscription(text, text, text, text) to authenticated, service_role;
grant execute on function public.send_test_push(uuid) to authenticated, service_role;

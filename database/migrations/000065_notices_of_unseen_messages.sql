-- kind: compatible
-- Who is notified of what by which way, and what follows a message that stays unseen: an SMS, and a reminder by email
-- (docs/decisions/0079-notices-of-unseen-messages.md).

create table public.notice_settings (
  user_id uuid primary key references auth.users on delete cascade,
  email boolean not null default true,
  push boolean not null default true,
  sms boolean not null default false,
  reminder boolean not null default true,
  quiet_from time(0),
  quiet_to time(0),
  time_zone text check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  updated_at timestamptz not null default now(),
  constraint notice_settings_quiet_hours check (
    num_nulls(quiet_from, quiet_to, time_zone) in (0, 3)
    and quiet_from <> quiet_to and quiet_from < '24:00' and quiet_to < '24:00'
  )
);
comment on table public.notice_settings is 'What an account chose. One without a row has the defaults.';
comment on column public.notice_settings.email is 'Emails about messages. Without a browser that gets pushes they are sent all the same.';
comment on column public.notice_settings.sms is 'An SMS about messages that stay unseen for 15 minutes.';
comment on column public.notice_settings.reminder is 'An email about messages that stay unseen for a day.';
comment on column public.notice_settings.quiet_from is 'From here to quiet_to, by the clock of the time zone, SMS and pushes wait.';

alter table public.notice_settings enable row level security;
alter table public.notice_settings force row level security;
create policy "owners read their own notice settings" on public.notice_settings
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners make their own notice settings" on public.notice_settings
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owners change their own notice settings" on public.notice_settings
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
grant select, insert (user_id, email, push, sms, reminder, quiet_from, quiet_to, time_zone),
  update (user_id, email, push, sms, reminder, quiet_from, quiet_to, time_zone)
  on public.notice_settings to authenticated;
grant select, insert, update, delete on public.notice_settings to service_role;

create trigger notice_settings_touch before update on public.notice_settings
  for each row execute function internal.touch_updated_at();

create function internal.check_time_zone() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  -- Fails for a time zone that PostgreSQL does not know (22023).
  perform now() at time zone new.time_zone;
  return new;
end
$$;
create trigger notice_settings_check_time_zone before insert or update of time_zone on public.notice_settings
  for each row when (new.time_zone is not null) execute function internal.check_time_zone();

create function internal.audit_notice_settings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.record_event('notice_settings_changed', new.user_id);
  return null;
end
$$;
create trigger notice_settings_audit after insert or update on public.notice_settings
  for each row execute function internal.audit_notice_settings();

-- When the quiet hours end that a moment lies in, or null where it lies in none or there are none.
create function internal.end_of_quiet_hours(quiet_from time, quiet_to time, time_zone text, at timestamptz)
  returns timestamptz
  language sql stable strict
  set search_path = ''
  as $$
    select case
        when quiet_from < quiet_to and clock >= quiet_from and clock < quiet_to then (day + quiet_to) at time zone time_zone
        when quiet_from > quiet_to and clock < quiet_to then (day + quiet_to) at time zone time_zone
        when quiet_from > quiet_to and clock >= quiet_from then (day + 1 + quiet_to) at time zone time_zone
      end
      from (select (at at time zone time_zone)::date as day, (at at time zone time_zone)::time as clock) as local
  $$;

alter table public.conversations add column texted_at timestamptz, add column reminded_at timestamptz;
comment on column public.conversations.texted_at is 'When the owner last got an SMS about it.';
comment on column public.conversations.reminded_at is 'When the owner last got a reminder of it.';

-- Enqueues a step for the messages of a conversation that stay unseen. One that waits keeps its time.
create function internal.enqueue_unseen_notice(step_param text, conversation_id_param uuid, run_at_param timestamptz)
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_of_unseen',
    pg_catalog.json_build_object('step', step_param, 'conversation_id', conversation_id_param),
    job_key := 'notify_of_unseen:' || step_param || ':' || conversation_id_param,
    job_key_mode := 'preserve_run_at',
    run_at := run_at_param,
    -- The waits grow to six hours: the last attempt is 22 hours after the first.
    max_attempts := 13
  );
end
$$;

create function internal.enqueue_unseen_notices() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  settings public.notice_settings;
begin
  select * into settings from public.notice_settings where user_id = new.owner_id;
  if settings.sms then
    perform internal.enqueue_unseen_notice('sms', new.conversation_id, now() + interval '15 minutes');
  end if;
  if coalesce(settings.reminder, true) then
    perform internal.enqueue_unseen_notice('reminder', new.conversation_id, now() + interval '1 day');
  end if;
  return null;
end
$$;
create trigger messages_enqueue_unseen_notices after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_unseen_notices();

-- As before, for owners who want pushes.
create or replace function internal.enqueue_message_pushes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.enqueue_push(subscription.id, new.id)
    from public.push_subscriptions as subscription
    where subscription.user_id = new.owner_id and subscription.ended_at is null
      and not exists (
        select from public.notice_settings as settings where settings.user_id = new.owner_id and not settings.push
      );
  return null;
end
$$;

-- As before, with the notice settings.
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
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

grant create on schema internal to service_role;
alter function internal.audit_notice_settings() owner to service_role;
alter function internal.enqueue_unseen_notices() owner to service_role;
revoke create on schema internal from service_role;
grant execute on function internal.enqueue_unseen_notice(text, uuid, timestamptz),
  internal.end_of_quiet_hours(time, time, text, timestamptz) to service_role;

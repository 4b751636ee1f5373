create table public.notice_settings (
  user_id uuid primary key references auth.users on delete cascade,
  email boolean not null default true,
  push boolean not null default true,
  sms boolean not null default false,
  reminder boolean not null default true,
  quiet_from time(0) without time zone,
  quiet_to time(0) without time zone,
  time_zone text check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  updated_at timestamptz not null default now(),
  email_has boolean not null default true,
  email_first boolean not null default true,
  email_more boolean not null default true,
  push_has boolean not null default true,
  push_first boolean not null default true,
  push_more boolean not null default true,
  sms_has boolean not null default true,
  sms_first boolean not null default true,
  sms_more boolean not null default true,
  constraint notice_settings_quiet_hours check ((num_nulls(quiet_from, quiet_to, time_zone) = any (array[0, 3])) and
    quiet_from <> quiet_to and quiet_from < '24:00:00'::time and quiet_to < '24:00:00'::time)
);

comment on table public.notice_settings is 'What an account chose. One without a row has the defaults.';
comment on column public.notice_settings.email is 'Emails about messages. Without a browser that gets pushes they are sent all the same.';
comment on column public.notice_settings.sms is 'An SMS about messages that stay unseen for 15 minutes.';
comment on column public.notice_settings.reminder is 'An email about messages that stay unseen for a day.';
comment on column public.notice_settings.email_has is 'Of a finder who says that they have the item.';
comment on column public.notice_settings.email_first is 'Of another first message of a conversation.';
comment on column public.notice_settings.email_more is 'Of each later message of a conversation.';
comment on column public.notice_settings.quiet_from is 'From here to quiet_to, by the clock of the time zone, SMS and pushes wait.';

create policy "owners change their own notice settings" on public.notice_settings
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "owners make their own notice settings" on public.notice_settings
  for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "owners read their own notice settings" on public.notice_settings
  for select to authenticated
  using (user_id = (select auth.uid()));

create trigger notice_settings_audit after insert or update on public.notice_settings
  for each row execute function internal.audit_notice_settings();
create trigger notice_settings_check_time_zone before insert or update of time_zone on public.notice_settings
  for each row when (new.time_zone is not null) execute function internal.check_time_zone();
create trigger notice_settings_note_endings after update of email, push, sms, reminder, email_has, email_first,
  email_more, push_has, push_first, push_more, sms_has, sms_first, sms_more on public.notice_settings
  for each row execute function internal.note_ending('user_id', 'email', 'push', 'sms', 'reminder', 'email_has',
    'email_first', 'email_more', 'push_has', 'push_first', 'push_more', 'sms_has', 'sms_first', 'sms_more');
create trigger notice_settings_touch before update on public.notice_settings
  for each row execute function internal.touch_updated_at();

grant select, insert (user_id, email, push, sms, reminder, quiet_from, quiet_to, time_zone, email_has, email_first,
  email_more, push_has, push_first, push_more, sms_has, sms_first, sms_more), update (user_id, email, push, sms, reminder,
  quiet_from, quiet_to, time_zone, email_has, email_first, email_more, push_has, push_first, push_more, sms_has, sms_first,
  sms_more) on public.notice_settings to authenticated;

create table public.notice_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  kind text not null check (kind in ('webhook', 'ntfy')),
  name text not null check (char_length(name) between 1 and 40 and name ~ '^[^[:cntrl:]]+$' and name = btrim(name)),
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
  gets_has boolean not null default true,
  gets_first boolean not null default true,
  gets_more boolean not null default true,
  unique (user_id, url),
  constraint notice_addresses_token_of_ntfy check (token is null or kind = 'ntfy')
);

comment on column public.notice_addresses.token is 'The access token of an ntfy server. Only the service reads it.';
comment on column public.notice_addresses.shows_text is 'Whether it is told the item''s name and the text of messages.';
comment on column public.notice_addresses.attempted_at is 'When it was last sent something.';
comment on column public.notice_addresses.last_status is 'The HTTP status of that attempt; null where there was no response.';
comment on column public.notice_addresses.delivered_at is 'When it last accepted something.';
comment on column public.notice_addresses.failures is 'How many attempts have failed since.';
comment on column public.notice_addresses.ended_at is 'When it said that it no longer exists, or had failed for a day.';
comment on column public.notice_addresses.gets_has is 'Whether it is told of a finder who says that they have the item.';
comment on column public.notice_addresses.gets_first is 'Whether it is told of another first message of a conversation.';
comment on column public.notice_addresses.gets_more is 'Whether it is told of each later message of a conversation.';

create index notice_addresses_ended on public.notice_addresses (ended_at) where ended_at is not null;

create policy "owners change their own notice addresses" on public.notice_addresses
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "owners delete their own notice addresses" on public.notice_addresses
  for delete to authenticated
  using (user_id = (select auth.uid()));
create policy "owners read their own notice addresses" on public.notice_addresses
  for select to authenticated
  using (user_id = (select auth.uid()));

create trigger notice_addresses_audit after insert or delete or update of shows_text, gets_has, gets_first, gets_more on
  public.notice_addresses
  for each row execute function internal.audit_notice_address();
create trigger notice_addresses_note_ending after delete on public.notice_addresses
  for each row execute function internal.note_ending('id');
create trigger notice_addresses_note_endings after update of shows_text, gets_has, gets_first, gets_more on
  public.notice_addresses
  for each row execute function internal.note_ending('id', 'shows_text', 'gets_has', 'gets_first', 'gets_more');

grant select (id, user_id, kind, name, url, shows_text, created_at, attempted_at, last_status, delivered_at,
  failing_since, ended_at, gets_has, gets_first, gets_more), update (name, shows_text, gets_has, gets_first,
  gets_more), delete on public.notice_addresses to authenticated;

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
  ended_at timestamptz,
  attempted_at timestamptz,
  last_status integer
);

comment on column public.push_subscriptions.session_id is 'The session that made it, and with which it ends.';
comment on column public.push_subscriptions.server_key is 'The server''s public key that the browser made it for.';
comment on column public.push_subscriptions.shows_text is 'Whether pushes contain the text of messages, which a lock screen then shows.';
comment on column public.push_subscriptions.delivered_at is 'When the push service last accepted a push.';
comment on column public.push_subscriptions.failures is 'How many attempts have failed since.';
comment on column public.push_subscriptions.ended_at is 'When the push service said that it no longer exists, or had failed for a day.';

create index push_subscriptions_ended on public.push_subscriptions (ended_at) where ended_at is not null;
create index push_subscriptions_user on public.push_subscriptions (user_id);

create policy "owners change their own push subscriptions" on public.push_subscriptions
  for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
create policy "owners delete their own push subscriptions" on public.push_subscriptions
  for delete to authenticated
  using (user_id = (select auth.uid()));
create policy "owners read their own push subscriptions" on public.push_subscriptions
  for select to authenticated
  using (user_id = (select auth.uid()));

create trigger push_subscriptions_audit after insert or delete on public.push_subscriptions
  for each row execute function internal.audit_push_subscription();

-- Not where the service replaces one, nor where its session ends.
create trigger push_subscriptions_note_ending after delete on public.push_subscriptions
  for each row execute function internal.note_ending('id');
create trigger push_subscriptions_note_endings after update of shows_text on public.push_subscriptions
  for each row execute function internal.note_ending('id', 'shows_text');
create trigger push_subscriptions_silence_device after delete on public.push_subscriptions
  for each row when (current_user = 'authenticated') execute function internal.silence_device();

comment on column public.push_subscriptions.attempted_at is 'When it was last sent something.';
comment on column public.push_subscriptions.last_status is 'The HTTP status of that attempt; null where there was no response.';

grant select (id, user_id, device, endpoint, server_key, shows_text, created_at, delivered_at, failing_since, ended_at,
  attempted_at, last_status), update (shows_text), delete on public.push_subscriptions to authenticated;

-- What became of the last test of a way to an account that has no receiver of its own: its address, and its number.
create table public.test_notices (
  user_id uuid not null references auth.users on delete cascade,
  way text not null check (way in ('email', 'sms')),
  asked_at timestamptz not null default now(),
  outcome text check (outcome in ('sent', 'refused', 'failed', 'too_many')),
  codes text check (char_length(codes) <= 80),
  primary key (user_id, way)
);

comment on column public.test_notices.outcome is 'Null until the mail server or the provider has answered.';
comment on column public.test_notices.codes is 'The codes of a mail server that did not accept it.';

create policy "owners read their own test notices" on public.test_notices
  for select to authenticated
  using (user_id = (select auth.uid()));

grant select on public.test_notices to authenticated;

-- Notices that went to an address while nobody had proved it: one row for each, so that a job that is tried again
-- counts once.
create table internal.unproved_notices (
  -- Of what the notice is about.
  message_id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  sent_at timestamptz not null default now(),
  -- Counted once. Null for notices of before it was recorded.
  conversation_id uuid
);

create index unproved_notices_user on internal.unproved_notices (user_id);

-- Who pressed "Stop all these emails", as keyed hashes of their addresses: the table alone names nobody.
create table internal.stopped_recipients (
  recipient bytea primary key,
  stopped_at timestamptz not null default now()
);

create trigger stopped_recipients_note_ending after insert on internal.stopped_recipients
  for each row execute function internal.note_ending('recipient');

grant select, insert, delete on internal.stopped_recipients to service_role;

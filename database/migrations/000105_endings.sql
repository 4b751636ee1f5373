-- kind: compatible
-- What ended is noted by its id, for the restore of a backup from before.
create table internal.endings (
  what text not null,
  id text not null,
  at timestamptz not null default clock_timestamp(),
  taken_back boolean not null default false,
  primary key (what, id)
);
alter table internal.endings enable row level security;
alter table internal.endings force row level security;

comment on table internal.endings is 'Ids and times of what ended, also of deleted accounts. It contains no other data.';
comment on column internal.endings.taken_back is 'A switch was turned on again, or a ban or void was lifted. The entry stays, because copies of it may be outside the database.';

create index endings_at on internal.endings (at);

grant select, insert, update, delete on internal.endings to service_role;

create trigger users_note_ending after delete on auth.users
  for each row execute function internal.note_ending('id');
create trigger users_note_endings after update of banned_until, encrypted_password, email, phone on auth.users
  for each row when (pg_catalog.current_setting('internal.same_password', true) is distinct from 'on')
  execute function internal.note_ending('id', 'banned_until', 'encrypted_password', 'email', 'phone');
create trigger identities_note_ending after delete on auth.identities
  for each row execute function internal.note_ending('id');
create trigger profiles_note_endings after update of phone, whatsapp_enabled, call_enabled, email_enabled,
  message_enabled, seen_shown on public.profiles
  for each row execute function internal.note_ending('id', 'phone', 'whatsapp_enabled', 'call_enabled', 'email_enabled',
    'message_enabled', 'seen_shown');
create trigger mfa_factors_note_ending after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function internal.note_ending('id');
create trigger sessions_note_ending after delete on auth.sessions
  for each row execute function internal.note_ending('id');
create trigger sticker_batches_note_endings after update of voided_at on public.sticker_batches
  for each row execute function internal.note_ending('id', 'voided_at');
create trigger qr_codes_note_endings after update of voided_at on public.qr_codes
  for each row execute function internal.note_ending('qr_id', 'voided_at');
create trigger items_note_ending after delete on public.items
  for each row execute function internal.note_ending('id');
create trigger items_note_endings after update of whatsapp_enabled, call_enabled, email_enabled, message_enabled on
  public.items
  for each row execute function internal.note_ending('id', 'whatsapp_enabled', 'call_enabled', 'email_enabled',
    'message_enabled');
create trigger conversations_note_ending after delete on public.conversations
  for each row execute function internal.note_ending('id');
create trigger conversations_note_endings after update of blocked_at on public.conversations
  for each row execute function internal.note_ending('id', 'blocked_at');
create trigger finder_addresses_note_ending after delete on internal.finder_addresses
  for each row execute function internal.note_ending('id');
create trigger notice_settings_note_endings after update of email, push, sms, reminder on public.notice_settings
  for each row execute function internal.note_ending('user_id', 'email', 'push', 'sms', 'reminder');
create trigger notice_addresses_note_ending after delete on public.notice_addresses
  for each row execute function internal.note_ending('id');
create trigger notice_addresses_note_endings after update of shows_text on public.notice_addresses
  for each row execute function internal.note_ending('id', 'shows_text');
create trigger push_subscriptions_note_ending after delete on public.push_subscriptions
  for each row execute function internal.note_ending('id');
create trigger push_subscriptions_note_endings after update of shows_text on public.push_subscriptions
  for each row execute function internal.note_ending('id', 'shows_text');
create trigger stopped_recipients_note_ending after insert on internal.stopped_recipients
  for each row execute function internal.note_ending('recipient');
create trigger second_contacts_note_ending after delete on public.second_contacts
  for each row execute function internal.note_ending('id');
create trigger second_contacts_note_endings after update of left_at, for_all on public.second_contacts
  for each row execute function internal.note_ending('id', 'left_at', 'for_all');
create trigger item_offers_note_ending after delete on public.item_offers
  for each row execute function internal.note_ending('id');

-- kind: compatible
-- Which messages each way tells an owner of, and what became of a test of each.
alter table public.notice_settings
  add column email_has boolean not null default true,
  add column email_first boolean not null default true,
  add column email_more boolean not null default true,
  add column push_has boolean not null default true,
  add column push_first boolean not null default true,
  add column push_more boolean not null default true,
  add column sms_has boolean not null default true,
  add column sms_first boolean not null default true,
  add column sms_more boolean not null default true;
comment on column public.notice_settings.email_has is 'Of a finder who says that they have the item.';
comment on column public.notice_settings.email_first is 'Of another first message of a conversation.';
comment on column public.notice_settings.email_more is 'Of each later message of a conversation.';
drop trigger notice_settings_note_endings on public.notice_settings;
create trigger notice_settings_note_endings after update of email, push, sms, reminder, email_has, email_first,
  email_more, push_has, push_first, push_more, sms_has, sms_first, sms_more on public.notice_settings
  for each row execute function internal.note_ending('user_id', 'email', 'push', 'sms', 'reminder', 'email_has',
    'email_first', 'email_more', 'push_has', 'push_first', 'push_more', 'sms_has', 'sms_first', 'sms_more');
grant insert (email_has, email_first, email_more, push_has, push_first, push_more, sms_has, sms_first, sms_more),
  update (email_has, email_first, email_more, push_has, push_first, push_more, sms_has, sms_first, sms_more)
  on public.notice_settings to authenticated;

alter table public.notice_addresses
  add column gets_has boolean not null default true,
  add column gets_first boolean not null default true,
  add column gets_more boolean not null default true;
comment on column public.notice_addresses.gets_has is 'Whether it is told of a finder who says that they have the item.';
comment on column public.notice_addresses.gets_first is 'Whether it is told of another first message of a conversation.';
comment on column public.notice_addresses.gets_more is 'Whether it is told of each later message of a conversation.';
drop trigger notice_addresses_audit on public.notice_addresses;
create trigger notice_addresses_audit after insert or delete or update of shows_text, gets_has, gets_first, gets_more on
  public.notice_addresses
  for each row execute function internal.audit_notice_address();
drop trigger notice_addresses_note_endings on public.notice_addresses;
create trigger notice_addresses_note_endings after update of shows_text, gets_has, gets_first, gets_more on
  public.notice_addresses
  for each row execute function internal.note_ending('id', 'shows_text', 'gets_has', 'gets_first', 'gets_more');
grant select (gets_has, gets_first, gets_more), update (gets_has, gets_first, gets_more) on public.notice_addresses
  to authenticated;

alter table public.push_subscriptions
  add column attempted_at timestamptz,
  add column last_status integer;
comment on column public.push_subscriptions.attempted_at is 'When it was last sent something.';
comment on column public.push_subscriptions.last_status is 'The HTTP status of that attempt; null where there was no response.';
grant select (attempted_at, last_status) on public.push_subscriptions to authenticated;

create table public.test_notices (
  user_id uuid not null references auth.users on delete cascade,
  way text not null check (way in ('email', 'sms')),
  asked_at timestamptz not null default now(),
  outcome text check (outcome in ('sent', 'refused', 'failed', 'too_many')),
  codes text check (char_length(codes) <= 80),
  primary key (user_id, way)
);
alter table public.test_notices enable row level security;
alter table public.test_notices force row level security;

comment on column public.test_notices.outcome is 'Null until the mail server or the provider has answered.';
comment on column public.test_notices.codes is 'The codes of a mail server that did not accept it.';

create policy "owners read their own test notices" on public.test_notices
  for select to authenticated
  using (user_id = (select auth.uid()));

grant select on public.test_notices to authenticated;
grant select, insert, update, delete on public.test_notices to service_role;

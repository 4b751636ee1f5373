-- kind: compatible
-- Labels that an owner has measured, saved for the account (docs/decisions/0089-measured-labels.md).

create table public.measured_labels (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  name text not null check (char_length(name) >= 1 and char_length(name) <= 40 and name ~ '^[^[:cntrl:]]+$' and name = btrim(name)),
  page text not null check (page in ('a4', 'letter')),
  label_width numeric(4, 1) not null check (label_width >= 15 and label_width <= 297),
  label_height numeric(4, 1) not null check (label_height >= 15 and label_height <= 297),
  columns integer not null check (columns >= 1 and columns <= 14),
  rows integer not null check (rows >= 1 and rows <= 19),
  margin_left numeric(4, 1) not null check (margin_left >= 0 and margin_left <= 100),
  margin_top numeric(4, 1) not null check (margin_top >= 0 and margin_top <= 100),
  gap_x numeric(4, 1) not null check (gap_x >= 0 and gap_x <= 50),
  gap_y numeric(4, 1) not null check (gap_y >= 0 and gap_y <= 50),
  created_at timestamptz not null default now(),
  unique (user_id, name)
);
comment on table public.measured_labels is 'Sheets of labels that owners measured with a ruler. Lengths are in millimeters.';
comment on column public.measured_labels.margin_left is 'From the left edge of the paper to the first label.';
comment on column public.measured_labels.margin_top is 'From the upper edge of the paper to the first label.';
comment on column public.measured_labels.gap_x is 'Between two labels side by side.';
comment on column public.measured_labels.gap_y is 'Between two labels below each other.';

alter table public.measured_labels enable row level security;
alter table public.measured_labels force row level security;
create policy "owners read their own measured labels" on public.measured_labels
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners save their own measured labels" on public.measured_labels
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owners change their own measured labels" on public.measured_labels
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "owners delete their own measured labels" on public.measured_labels
  for delete to authenticated using (user_id = (select auth.uid()));
grant select, insert, update (name), delete on public.measured_labels to authenticated;
grant select, insert, update, delete on public.measured_labels to service_role;

-- An account has 20.
create function internal.hold_measured_labels_quota() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_labels constant integer := 20;
  caller uuid := auth.uid();
begin
  if caller is null or not exists (select from added where user_id = caller) then
    return null;
  end if;
  -- Of two inserts at once the second must see the first.
  perform pg_advisory_xact_lock(hashtextextended('measured labels of ' || caller, 0));
  if (select count(*) from public.measured_labels where user_id = caller) > most_labels then
    raise exception 'An account has at most % measured labels', most_labels using errcode = 'PT413';
  end if;
  return null;
end
$$;

-- As before, with the measured labels.
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
        'second_contacts', (
          -- Not the quiet hours, which are the contact's own.
          select coalesce(jsonb_agg(
              to_jsonb(contact) - 'quiet_from' - 'quiet_to' - 'time_zone' order by contact.created_at
            ), '[]')
            from public.second_contacts as contact where contact.owner_id = person.id
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
        'item_offers', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'received_id' order by offer.created_at), '[]')
            from public.item_offers as offer where offer.giver_id = person.id
        ),
        'item_offers_received', (
          select coalesce(jsonb_agg(to_jsonb(offer) - 'giver_id' - 'item_id' order by offer.created_at), '[]')
            from public.item_offers as offer
            join auth.users as account on account.id = person.id and account.email = offer.email
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
        'reports_of_finders', (
          -- Not what finders reported about the account's pages.
          select coalesce(jsonb_agg(
              to_jsonb(report) - 'owner_then' - 'repeats' - 'closed_at' order by report.created_at
            ), '[]')
            from internal.reports as report where report.reported_by = person.id
        ),
        'measured_labels', (
          select coalesce(jsonb_agg(to_jsonb(labels) order by labels.created_at), '[]')
            from public.measured_labels as labels where labels.user_id = person.id
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
alter function internal.hold_measured_labels_quota() owner to service_role;
revoke create on schema internal from service_role;
create trigger measured_labels_hold_quota after insert on public.measured_labels
  referencing new table as added for each statement execute function internal.hold_measured_labels_quota();

-- kind: compatible
-- An owner reports a finder to the operator.

alter table internal.reports
  add column reported_by uuid references auth.users on delete cascade,
  add column conversation_id uuid references public.conversations on delete set null,
  drop constraint reports_kind_check,
  add constraint reports_kind_check check (
    case when reported_by is null
      then kind in ('planted', 'abuse', 'wrong_item')
      else kind in ('harassment', 'fraud', 'spam', 'other')
    end
  ) not valid;
alter table internal.reports validate constraint reports_kind_check;
comment on table internal.reports is
  'What finders report about pages, and owners about finders, to the operator. Nothing says which finder reported a page.';
comment on column internal.reports.reported_by is 'The owner who reports a finder. Null in a report of a page.';
comment on column internal.reports.conversation_id is
  'The conversation with the finder who is reported. Null in a report of a page, and once the conversation is deleted.';
create index reports_reporter on internal.reports (reported_by) where reported_by is not null;
create index reports_conversation on internal.reports (conversation_id) where conversation_id is not null;

-- Stores the caller's report of the finder of a conversation of theirs. The same one again is counted, and so is one beyond 20
-- open ones of the same kind about the same conversation. The finder learns nothing of it.
create function public.report_finder(conversation_id_param uuid, kind_param text, body_param text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  caller uuid := (select auth.uid());
  trimmed text := nullif(internal.trim_message(body_param), '');
  code text;
  alike uuid[];
begin
  if kind_param is null or kind_param not in ('harassment', 'fraud', 'spam', 'other') then
    raise exception 'A finder is not reported for this' using errcode = '22023';
  end if;
  if char_length(trimmed) > 500 then
    raise exception 'A report has at most 500 characters' using errcode = '22023';
  end if;
  -- Of two retries at once the second must see the first.
  select item.qr_id into code
    from public.conversations as conversation
    join public.items as item on item.id = conversation.item_id
    where conversation.id = conversation_id_param and conversation.owner_id = caller and item.user_id = caller
      and item.given_at is null
    for no key update of conversation;
  if not found then
    raise exception 'No conversation of yours has this id' using errcode = 'PT404';
  end if;
  alike := array(
    select id from internal.reports
      where conversation_id = conversation_id_param and kind = kind_param and reported_by = caller and closed_at is null
      order by body is not distinct from trimmed desc, created_at, id
      limit 20
  );
  update internal.reports set repeats = repeats + 1
    where id = alike[1] and (cardinality(alike) = 20 or body is not distinct from trimmed);
  if not found then
    insert into internal.reports (kind, qr_id, body, owner_then, reported_by, conversation_id)
      values (kind_param, code, trimmed, caller, caller, conversation_id_param);
  end if;
end
$$;
grant create on schema public to service_role;
alter function public.report_finder(uuid, text, text) owner to service_role;
revoke create on schema public from service_role;
grant execute on function public.report_finder(uuid, text, text) to authenticated;

-- As before, with the reports of the account.
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
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

-- Everything that the service keeps about an account, and nothing of anybody else; null where there is no such account.
-- Secrets are left out: they are of no use to their owner, and of much to a thief of the file. Offers to the account
-- say nothing about who made them.
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
          -- Not the quiet hours and the language, which are the contact's own.
          select coalesce(jsonb_agg(
              to_jsonb(contact) - 'quiet_from' - 'quiet_to' - 'time_zone' - 'language' order by contact.created_at
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
          select coalesce(jsonb_agg(to_jsonb(factor) - 'secret' - 'last_step' - 'credential' order by factor.created_at), '[]')
            from auth.mfa_factors as factor where factor.user_id = person.id
        ),
        'passkeys', (
          select coalesce(jsonb_agg(
              to_jsonb(passkey) - 'credential_id' - 'public_key' - 'counter' order by passkey.created_at
            ), '[]')
            from auth.passkeys as passkey where passkey.user_id = person.id
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
        'test_notices', (
          select coalesce(jsonb_agg(to_jsonb(test) order by test.way), '[]')
            from public.test_notices as test where test.user_id = person.id
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
        'operator', (
          select to_jsonb(operator) from internal.operators as operator where operator.user_id = person.id
        ),
        'security_events', (
          -- Which operator it was is nothing of the account's.
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' #- '{details,operator}' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

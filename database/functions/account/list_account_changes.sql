-- What happened to the caller's account in the last 30 days, newest first, and what was added to it since and can be
-- removed. Changes are named as in the audit log, and say whether this session made them, or another one or an operator. An operator's
-- look at the contact details, and a link that one made, have their reason.
create or replace function public.list_account_changes() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
      'changes', (
        select coalesce(jsonb_agg(to_jsonb(change) order by change.at desc), '[]')
          from (
            select case event
                  when 'signed_in' then 'new_sign_in'
                  when 'operator_acted' then
                    case details ->> 'what' when 'make_link' then 'operator_made_link' else 'operator_ended_sessions' end
                  else event
                end as kind, at, times, details ->> 'reason' as reason,
                coalesce(session_id::text = (select auth.jwt()) ->> 'session_id', false) as is_here,
                event like 'operator\_%' or coalesce(session_id::text <> (select auth.jwt()) ->> 'session_id', false)
                  as is_elsewhere
              from auth.audit_log
              where user_id = (select auth.uid()) and at > now() - interval '30 days'
                -- What an account begins with is no change.
                and (session_id is not null or event like 'operator\_%' or at > (
                  select coalesce(min(entry.at), '-infinity') + interval '1 minute' from auth.audit_log as entry
                    where entry.user_id = (select auth.uid()) and entry.event in ('email_confirmed', 'phone_confirmed')
                ))
                and coalesce(details ->> 'provider', '') not in ('email', 'phone') and (
                event = 'signed_in' and details ->> 'new_device' = 'true'
                or event = 'operator_looked' and details ->> 'what' = 'contact_details'
                or event = 'operator_acted' and details ->> 'what' in ('end_sessions', 'make_link')
                or event in (
                  'password_changed', 'email_changed', 'email_removed', 'phone_changed', 'phone_removed',
                  'signed_out_elsewhere', 'factor_verified', 'factor_removed', 'passkey_added', 'passkey_removed',
                  'recovery_codes_made', 'identity_linked', 'identity_unlinked', 'contact_number_changed',
                  'item_offered', 'item_given', 'item_deleted', 'sticker_attached', 'sticker_detached',
                  'blank_codes_discarded', 'second_contact_invited', 'second_contact_widened', 'second_contact_narrowed',
                  'second_contact_removed', 'notice_address_added', 'notice_address_widened', 'notice_address_removed',
                  'notices_reduced', 'device_silenced', 'finders_page_changed', 'conversation_hidden'
                )
              )
              order by at desc, id desc
              limit 100
          ) as change
      ),
      'additions', (
        select coalesce(jsonb_agg(to_jsonb(addition) order by addition.at desc), '[]')
          from (
            select 'second_contact' as kind, id::text, coalesce(email, phone) as name, created_at as at
              from public.second_contacts where owner_id = (select auth.uid()) and left_at is null
            union all
            select 'notice_address', id::text, substring(url from '^[a-z]+://(?:[^/?#]*@)?([^/?#:]+)'), created_at
              from public.notice_addresses where user_id = (select auth.uid())
            union all
            select 'device', id::text, device, created_at
              from public.push_subscriptions
              where user_id = (select auth.uid()) and session_id::text <> (select auth.jwt()) ->> 'session_id'
            union all
            select 'offer', id::text, email, created_at
              from public.item_offers
              where giver_id = (select auth.uid()) and accepted_at is null and declined_at is null and expires_at > now()
            union all
            select 'sticker', code.qr_id, item.item_name, code.claimed_at
              from public.qr_codes as code join public.items as item on item.qr_id = code.stands_for
              where code.owner_id = (select auth.uid())
            union all
            select 'factor', id::text, friendly_name, created_at
              from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified'
            union all
            select 'passkey', id::text, friendly_name, created_at
              from auth.passkeys where user_id = (select auth.uid())
            union all
            select kind, kind, name, at from internal.list_added_identifiers((select auth.uid()))
            union all
            select 'identity', id::text, provider, created_at
              from auth.identities where user_id = (select auth.uid()) and provider not in ('email', 'phone')
          ) as addition
          where addition.at > now() - interval '30 days'
      )
    )
  $$;

grant execute on function public.list_account_changes() to authenticated;

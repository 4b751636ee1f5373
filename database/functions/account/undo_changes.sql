-- "This wasn't me": ends every session and all that could open one, the password included, and takes back what was added
-- since the session first made a lasting change, or else since the change that the notice was about. Only the former
-- address and number that the notice went to are given. Pressed again, it takes back nothing of what came after the first
-- press. A second factor is taken back within three days only: who reads the owner's mail could otherwise remove the
-- owner's. Returns whether there is such an account.
create or replace function internal.undo_changes(
  user_id_param uuid, session_id_param uuid, changed_at_param timestamptz, former_email_param text, former_phone_param text
) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  account auth.users;
  since timestamptz;
  -- When it was pressed first, for this change or a later one.
  until timestamptz;
  is_first boolean;
  seen text[];
begin
  select * into account from auth.users where id = user_id_param and deleted_at is null for update;
  if not found then
    return false;
  end if;
  select coalesce(min(entry.at), changed_at_param) into since from auth.audit_log as entry
    where entry.user_id = account.id and entry.session_id = session_id_param
      and entry.at between changed_at_param - interval '30 days' and changed_at_param
      and entry.event not in ('session_ended', 'second_factor_passed', 'push_subscription_added', 'push_subscription_removed');
  select min(entry.at) into until from auth.audit_log as entry
    where entry.user_id = account.id and entry.event = 'changes_undone' and entry.at > changed_at_param;
  is_first := until is null;
  until := coalesce(until, 'infinity');
  seen := array(
    select distinct entry.event from auth.audit_log as entry
      where entry.user_id = account.id and entry.at between since and until
  );

  -- After an earlier press the password is the owner's again.
  if is_first then
    delete from auth.sessions where user_id = account.id;
    delete from auth.authorization_codes where user_id = account.id;
    delete from auth.one_time_tokens
      where user_id = account.id and token_type not in ('address_proof', 'address_disowning');
    update auth.users set
        encrypted_password = null, new_email = null, email_change_sent_at = null, email_change_awaits = '{}',
        new_phone = null, phone_change_sent_at = null,
        raw_app_meta_data = case
          when encrypted_password is null then raw_app_meta_data
          else raw_app_meta_data || '{"password_needed": true}'
        end
      where id = account.id;
  end if;
  perform internal.record_event('changes_undone', account.id);

  -- What signs in.
  delete from auth.known_devices where user_id = account.id and created_at between since and until;
  delete from auth.passkeys where user_id = account.id and created_at between since and until;
  delete from auth.recovery_codes where user_id = account.id and created_at between since and until;
  delete from auth.identities
    where user_id = account.id and created_at between since and until and provider not in ('email', 'phone');
  delete from auth.mfa_factors
    where user_id = account.id and changed_at_param > now() - interval '3 days'
      and (created_at between since and until or id::text in (
        select details ->> 'id' from auth.audit_log
          where user_id = account.id and event = 'factor_verified' and at between since and until
      ));
  update auth.users set email = former_email_param, claimed_email = null, email_confirmed_at = now()
    where id = account.id and email is distinct from former_email_param and former_email_param is not null
      and not exists (select from auth.users where email = former_email_param and deleted_at is null);
  update auth.users set phone = former_phone_param, phone_confirmed_at = now()
    where id = account.id and phone is distinct from former_phone_param and former_phone_param is not null
      and not exists (select from auth.users where phone = former_phone_param and deleted_at is null);
  -- A number that came since, of an account that its address recovers.
  if is_first and 'phone_changed' = any (seen) and former_phone_param is null and account.email is not null
      and (former_email_param is not null or not 'email_changed' = any (seen)) then
    perform internal.remove_identifier(account.id, 'phone');
  end if;
  -- An address that came since, of an account that its number recovers.
  if is_first and 'email_changed' = any (seen) and former_email_param is null and account.phone_confirmed_at is not null
      and (former_phone_param is not null or not 'phone_changed' = any (seen)) then
    perform internal.remove_identifier(account.id, 'email');
  end if;

  -- What reaches others, or keeps messages from the owner.
  if is_first then
    perform internal.end_pending_changes(account.id);
  end if;
  delete from public.second_contacts where owner_id = account.id and created_at between since and until;
  delete from public.notice_addresses where user_id = account.id and created_at between since and until;
  delete from public.push_subscriptions where user_id = account.id and created_at between since and until;
  if 'second_contact_widened' = any (seen) then
    update public.second_contacts set for_all = false where owner_id = account.id and for_all;
  end if;
  if 'notice_address_widened' = any (seen) then
    update public.notice_addresses set shows_text = false where user_id = account.id and shows_text;
  end if;
  if 'notices_reduced' = any (seen) then
    update public.notice_settings
      set email = true, push = true, reminder = true, quiet_from = null, quiet_to = null, time_zone = null
      where user_id = account.id;
  end if;
  if 'contact_number_changed' = any (seen) then
    update public.profiles set phone = '+' || (select phone from auth.users where id = account.id) where id = account.id;
  end if;
  return true;
end
$$;

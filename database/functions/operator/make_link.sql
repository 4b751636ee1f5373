-- For operators: a link that works once, for a day, in place of an email. It invites an address that no account has
-- proved, and confirms a registration that waits for it; to an account it gives a new password, for a reason, of which
-- its owner is notified. The link proves the address: the operator knows whose it is. In place of an address there may be
-- the proved number of an account (E.164). Only the link's hash is stored, and the newest link alone works. An operator's
-- account gets one from the command line alone.
-- Errors: 22023 no address or no reason, PT404 no account has the number, PT409 an operator's account, PT422 an account
-- that was confirmed by phone and claims the address, which its number finds.
create or replace function public.make_link(email_param text, reason_param text default null) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  address constant text := lower(internal.trim_blanks(email_param));
  reason constant text := nullif(internal.trim_blanks(reason_param), '');
  digits constant text := case when address ~ '^\+[0-9 ()./-]+$' then regexp_replace(address, '[^0-9]', '', 'g') end;
  account auth.users;
  account_id uuid;
  waits boolean;
  kind text;
  -- 48 bytes of the server's strong generator.
  token constant text := translate(encode(
    pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid())
    || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()), 'base64'), '+/=', '-_');
begin
  perform internal.require_operator();
  if digits is null and coalesce(address, '') !~ '^[^@[:space:]]+@[^@[:space:]]+$' or char_length(address) > 254 then
    raise exception 'This is no email address' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('email:' || address, 0));
  if (select auth.role()) is distinct from 'service_role' and exists (
    select from internal.operators as operator join auth.users as own on own.id = operator.user_id
      where own.email = address or own.claimed_email = address or own.phone = digits
  ) then
    raise exception 'This is an operator''s account' using errcode = 'PT409';
  end if;
  select * into account from auth.users
    where (email = address or phone = digits and phone_confirmed_at is not null) and deleted_at is null for update;
  if found then
    account_id := account.id;
    kind := 'recovery';
    if coalesce(char_length(reason), 0) not between 5 and 200 then
      raise exception 'This needs a reason of 5 to 200 characters' using errcode = '22023';
    end if;
    perform internal.note_operator('operator_acted', 'make_link', account_id, reason);
    perform internal.enqueue_change_notice('operator_made_link', account_id, null, reason);
  elsif digits is not null then
    raise exception 'There is no such account' using errcode = 'PT404';
  else
    if exists (
      select from auth.users where claimed_email = address and confirmed_at is not null and deleted_at is null
    ) then
      raise exception 'This account was confirmed by phone' using errcode = 'PT422';
    end if;
    waits := exists (
      select from auth.users
        where claimed_email = address and registration_phone is null and registered_on <> '' and deleted_at is null
    );
    kind := case when waits then 'confirmation' else 'invite' end;
    -- What the browser that opens the link has registered itself is taken over then; what others entered is not.
    select id into account_id from auth.users
      where claimed_email = address and registration_phone is null and registered_on = '' and deleted_at is null
      order by created_at, id limit 1 for update;
    if not found then
      account_id := pg_catalog.gen_random_uuid();
      insert into auth.users (id, claimed_email, raw_app_meta_data, raw_user_meta_data, registered_on)
        values (
          account_id, address, '{"provider": "email", "providers": ["email"], "password_needed": true}',
          jsonb_build_object('email', address, 'email_verified', false, 'phone_verified', false, 'sub', account_id), ''
        );
      insert into auth.identities (user_id, provider, provider_id, identity_data)
        select id, 'email', id::text, raw_user_meta_data from auth.users where id = account_id;
    end if;
    update auth.users set invited_at = now() where id = account_id;
    perform internal.note_operator('operator_acted', 'invite', account_id);
  end if;
  delete from auth.one_time_tokens where user_id = account_id and token_type in ('confirmation', 'invite', 'recovery');
  insert into auth.one_time_tokens (user_id, token_type, link_hash, relates_to, channel, expires_at, link_expires_at)
    values (
      account_id, kind, pg_catalog.sha256(token::bytea), coalesce('+' || digits, address),
      case when digits is null then 'email' else 'sms' end,
      now() + interval '1 day', now() + interval '1 day'
    );
  return jsonb_build_object('kind', kind, 'path', case kind
    when 'recovery' then '/auth?reset=true#token_hash=' || token || '&type=recovery'
    when 'confirmation' then '/auth/callback#token_hash=' || token || '&type=signup'
    else '/auth/callback#token_hash=' || token || '&type=invite'
  end);
end
$$;

grant execute on function public.make_link(text, text) to authenticated;

-- kind: breaking
-- An e-mail address belongs to no account until it is proved (docs/decisions/0050-the-life-of-an-unproved-identifier.md).
-- A session knows when its holder last proved who they are, apart from its tokens.

alter table auth.users
  -- What the account says its address is, where nobody has proved that. Any number of accounts may claim one.
  add column claimed_email text,
  -- SHA-256 of the device cookie of the browser that registered; empty where an operator did.
  add column registered_on bytea,
  -- The number, in E.164, that the code of a pending registration goes to; null where it goes to the address.
  add column registration_phone text,
  add constraint users_claimed_email_is_lower_case check (claimed_email = lower(claimed_email)),
  add constraint users_claimed_email_length check (char_length(claimed_email) <= 254);
create index users_claimed_email on auth.users (claimed_email) where claimed_email is not null;
comment on column auth.users.email is 'The address that the account has proved. Of a deleted account, a fingerprint.';
comment on column auth.users.claimed_email is 'The address that the account says is its own, which nobody has proved. It is not unique.';
comment on column auth.users.registrations is 'How many registrations there were before one was confirmed, the newest included. Each replaced the one before.';

alter table auth.sessions add column proved_at timestamptz not null default now();
comment on column auth.sessions.proved_at is 'When the holder last proved who they are: by signing in, a password, a code that was asked for, or a second factor.';
-- What raised a session before may have been a factor that its holder had just set up.
update auth.sessions set proved_at = created_at;

-- Of a change that one session asked for, and another will have begun with: that one is no younger.
alter table auth.one_time_tokens add column proved_at timestamptz;
alter table auth.authorization_codes add column proved_at timestamptz;

-- Whether what a session proved at one moment still stands for its owner at another. The one place that says how long.
create function internal.is_recent_proof(proved_at timestamptz, at timestamptz) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select proved_at > at - interval '24 hours' $$;

-- The rule for what can sign in or recover, and for everything about an account at once: the caller's session has a
-- recent proof. An anonymous account has nothing to prove with.
-- Errors: PT403 the proof is too old.
create function internal.require_recent_proof() returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  if not exists (
    select from auth.sessions as session
      join auth.users as account on account.id = session.user_id
      where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = (select auth.uid())
        and (account.is_anonymous or internal.is_recent_proof(session.proved_at, now()))
  ) then
    raise exception 'This needs a recent sign-in' using errcode = 'PT403';
  end if;
end
$$;

-- A proved address alone is taken: nobody learns here what others say is theirs.
create or replace function public.check_user_exists(email_param text)
  returns jsonb
  language plpgsql
  stable security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from auth.users
      where email = lower(btrim(email_param)) and deleted_at is null
  ) then
    return jsonb_build_object(
      'exists', true, 'message', 'An account with this email already exists. Please sign in instead.'
    );
  end if;
  return jsonb_build_object('exists', false, 'message', null);
end
$$;

create or replace function public.delete_my_account()
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  account auth.users;
  proved_at timestamptz;
begin
  -- Held, so that nothing new begins to belong to it.
  select * into account from auth.users where id = (select auth.uid()) for update;
  if not found then
    raise exception 'Only somebody signed in has an account to delete' using errcode = '42501';
  end if;
  select session.proved_at into proved_at
    from auth.sessions as session
    where session.id::text = (select auth.jwt()) ->> 'session_id' and session.user_id = account.id;
  if proved_at is null or proved_at < now() - interval '10 minutes' then
    raise exception 'Deleting an account needs a recent sign-in' using errcode = 'PT403';
  end if;

  delete from public.items where user_id = account.id;
  delete from public.qr_codes where owner_id = account.id and issued_at is null;
  update public.qr_codes set owner_id = null, claimed_at = null where owner_id = account.id;
  -- A development server keeps what it sent.
  delete from internal.development_outbox
    where recipient in (account.email, account.claimed_email, account.new_email, '+' || account.phone, '+' || account.new_phone,
      (select email from public.profiles where id = account.id),
      (select phone from public.profiles where id = account.id));
  delete from auth.users where id = account.id;
end
$$;

create or replace function public.disown_address(token_param text)
  returns boolean
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  disowned record;
begin
  delete from auth.one_time_tokens
    where link_hash = sha256(convert_to(token_param, 'UTF8'))
      and token_type = 'address_disowning' and link_expires_at > now()
    returning user_id, relates_to into disowned;
  if not found then
    return false;
  end if;
  update auth.users
    set claimed_email = null, raw_user_meta_data = raw_user_meta_data - 'email'
    where id = disowned.user_id and claimed_email = disowned.relates_to;
  if not found then
    return false;
  end if;
  update auth.identities
    set identity_data = identity_data - 'email', updated_at = now()
    where user_id = disowned.user_id and provider = 'email';
  delete from auth.one_time_tokens where user_id = disowned.user_id and relates_to = disowned.relates_to;
  delete from internal.unproved_notices where user_id = disowned.user_id;
  return true;
end
$$;

create or replace function public.export_account(user_id_param uuid)
  returns jsonb
  language sql
  stable
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
          select coalesce(jsonb_agg(to_jsonb(session) order by session.created_at), '[]')
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
        'security_events', (
          select coalesce(jsonb_agg(to_jsonb(entry) - 'id' order by entry.id), '[]')
            from auth.audit_log as entry where entry.user_id = person.id
        )
      )
      from (select user_id_param as id) as person
      where person.id is not null
  $$;

-- The same, for the caller.
-- Errors: PT403 the proof is too old.
drop function public.export_my_data();
create function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  if (select auth.uid()) is null then
    return null;
  end if;
  perform internal.require_recent_proof();
  return public.export_account((select auth.uid()));
end
$$;

create or replace function public.make_recovery_codes()
  returns text[]
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  caller uuid := auth.uid();
  code text;
  codes text[] := '{}';
  random_bytes bytea;
begin
  if not exists (
    select from auth.sessions
      where id::text = auth.jwt() ->> 'session_id' and user_id = caller and aal = 'aal2' and auth.jwt() ->> 'aal' = 'aal2'
  ) or not exists (select from auth.mfa_factors where user_id = caller and status = 'verified') then
    raise exception 'Recovery codes are made after a second factor was shown' using errcode = '42501';
  end if;
  perform internal.require_recent_proof();
  -- Two calls at once would leave twenty codes.
  perform from auth.users where id = caller for update;
  delete from auth.recovery_codes where user_id = caller;
  for code_number in 1..10 loop
    -- 32 bytes of the server's strong generator, each worth one of 32 letters: 16 letters are 80 bits.
    random_bytes := pg_catalog.sha256(
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    code := '';
    for place in 0..15 loop
      code := code || case when place in (4, 8, 12) then '-' else '' end
        || pg_catalog.substr(alphabet, pg_catalog.get_byte(random_bytes, place) % 32 + 1, 1);
    end loop;
    codes := codes || code;
    insert into auth.recovery_codes (user_id, code_hash) values (caller, internal.hash_recovery_code(code));
  end loop;
  perform internal.record_event('recovery_codes_made', caller, (auth.jwt() ->> 'session_id')::uuid);
  return codes;
end
$$;

-- A recovery code is a second factor: to show one is a proof.
create or replace function public.use_recovery_code(code_param text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
declare
  claims jsonb := coalesce(auth.jwt() -> 'unfinished_sign_in', auth.jwt());
  caller uuid := (claims ->> 'sub')::uuid;
begin
  delete from auth.recovery_codes where user_id = caller and code_hash = internal.hash_recovery_code(code_param);
  if not found then
    raise exception 'This recovery code is not valid' using errcode = '22023';
  end if;
  update auth.sessions
    set aal = 'aal2', factor_id = null, proved_at = pg_catalog.now(), amr = pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object(
      'method', 'mfa/recovery_code', 'timestamp', pg_catalog.floor(extract(epoch from pg_catalog.now()))::bigint
    )) || amr
    where id::text = claims ->> 'session_id' and user_id = caller;
  if not found then
    raise exception 'The sign-in is over' using errcode = '42501';
  end if;
  perform internal.record_event('recovery_code_used', caller, (claims ->> 'session_id')::uuid);
end
$$;

create or replace function internal.create_profile_of_new_user()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  insert into public.profiles (id, full_name, email, phone)
    values (
      new.id,
      left(nullif(btrim(new.raw_user_meta_data ->> 'full_name'), ''), 200),
      coalesce(new.email, new.claimed_email),
      -- Whatever else stands there is no reason to turn an account away, and no number to offer to a finder.
      substring(new.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
    )
    on conflict (id) do nothing;
  return null;
end
$$;

create or replace function internal.repair_profile_of_owner(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.profiles (id, full_name, email, phone)
    select
        account.id,
        left(nullif(btrim(account.raw_user_meta_data ->> 'full_name'), ''), 200),
        coalesce(account.email, account.claimed_email),
        substring(account.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
      from public.qr_codes as code
      join auth.users as account on account.id = code.owner_id
      where code.qr_id = qr_id_param
    on conflict (id) do nothing;
  return found;
end
$$;

-- The address that an account shows, proved or not, is the one that its finders may write to.
create or replace function internal.follow_email_of_user()
  returns trigger
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  update public.profiles set email = coalesce(new.email, new.claimed_email)
    where id = new.id and email is distinct from coalesce(new.email, new.claimed_email);
  return null;
end
$$;

drop trigger users_follow_email on auth.users;
create trigger users_follow_email after update of email, claimed_email on auth.users
  for each row execute function internal.follow_email_of_user();

create or replace function internal.audit_account()
  returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    -- What is kept of a deleted account is no new one.
    if new.deleted_at is null then
      perform internal.record_event('account_created', new.id);
    end if;
    return null;
  elsif tg_op = 'DELETE' then
    perform internal.record_event('account_deleted', old.id);
    return null;
  end if;
  if old.confirmed_at is null and new.registrations > old.registrations then
    perform internal.record_event('registered_again', new.id);
  elsif old.encrypted_password is distinct from new.encrypted_password then
    perform internal.record_event('password_changed', new.id);
  end if;
  if old.email_confirmed_at is null and new.email_confirmed_at is not null then
    perform internal.record_event('email_confirmed', new.id);
  end if;
  if old.phone_confirmed_at is null and new.phone_confirmed_at is not null then
    perform internal.record_event('phone_confirmed', new.id);
  end if;
  if coalesce(old.email, old.claimed_email) is distinct from coalesce(new.email, new.claimed_email) then
    perform internal.record_event('email_changed', new.id);
  end if;
  if new.new_email is not null and old.new_email is distinct from new.new_email then
    perform internal.record_event('email_change_requested', new.id);
  end if;
  if old.phone is distinct from new.phone then
    perform internal.record_event('phone_changed', new.id);
  end if;
  if new.new_phone is not null and old.new_phone is distinct from new.new_phone then
    perform internal.record_event('phone_change_requested', new.id);
  end if;
  if old.recovery_sent_at is distinct from new.recovery_sent_at and new.recovery_sent_at is not null then
    perform internal.record_event('recovery_requested', new.id);
  end if;
  if old.banned_until is distinct from new.banned_until then
    if new.banned_until > pg_catalog.now() then
      perform internal.record_event('banned', new.id, null, pg_catalog.jsonb_build_object('until', new.banned_until));
    else
      perform internal.record_event('ban_lifted', new.id);
    end if;
  end if;
  if old.deleted_at is null and new.deleted_at is not null then
    perform internal.record_event('account_deleted', new.id);
  end if;
  if (old.role, old.raw_app_meta_data, old.is_super_admin) is distinct from
      (new.role, new.raw_app_meta_data, new.is_super_admin) then
    perform internal.record_event('privileges_changed', new.id);
  end if;
  return null;
end
$$;

create or replace function internal.enqueue_account_mail(kind_param text, user_id_param uuid, address_param text DEFAULT NULL::text)
  returns void
  language plpgsql
  security definer
  set search_path = ''
  as $$
begin
  if kind_param not in ('address_proof', 'address_lost', 'email_changed', 'password_changed', 'phone_changed') then
    raise exception 'There is no such mail' using errcode = '22023';
  end if;
  perform graphile_worker.add_job(
    'send_account_mail',
    pg_catalog.json_build_object(
      'id', pg_catalog.gen_random_uuid(), 'kind', kind_param, 'user_id', user_id_param, 'address', address_param
    )
  );
end
$$;

-- Accounts that exist keep the address that they have not proved, as a claim.
update auth.users as account
  set claimed_email = email, email = null, registration_phone = (
    select code.relates_to from auth.one_time_tokens as code
      where code.user_id = account.id and code.token_type = 'confirmation' and code.channel = 'sms'
        and account.confirmed_at is null
  )
  where email is not null and email_confirmed_at is null and deleted_at is null;
alter table auth.users
  add constraint users_email_is_proved check (email is null or email_confirmed_at is not null or deleted_at is not null),
  add constraint users_one_address check (email is null or claimed_email is null);

grant create on schema public, internal to service_role;
alter function public.export_my_data() owner to service_role;
alter function internal.require_recent_proof() owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function internal.is_recent_proof(timestamptz, timestamptz), internal.require_recent_proof() to service_role;
grant execute on function public.export_my_data() to authenticated, service_role;

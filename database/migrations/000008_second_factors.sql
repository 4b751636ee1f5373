-- kind: compatible
-- Second factors and recovery codes, sessions that their owner sees and ends, known devices, and the audit log.

alter table auth.sessions
  add column device text not null default 'Unknown device' check (char_length(device) <= 80),
  add column device_is_new boolean not null default false,
  add column factor_id uuid;
comment on column auth.sessions.device is 'Short words made from the user agent at sign-in, which itself is not kept.';
comment on column auth.sessions.device_is_new is 'The account had signed in before, and never on this device.';

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  factor_type text not null check (factor_type in ('totp', 'phone')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  friendly_name text not null default '' check (char_length(friendly_name) <= 120),
  -- Encrypted with a key that the database does not have.
  secret bytea check ((secret is not null) = (factor_type = 'totp')),
  -- E.164 without the plus.
  phone text check ((phone is not null) = (factor_type = 'phone')),
  -- The 30-second step of the newest code that was accepted: neither it nor an older one is accepted again.
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index mfa_factors_user on auth.mfa_factors (user_id);
create unique index mfa_factors_name on auth.mfa_factors (user_id, friendly_name) where friendly_name <> '';

alter table auth.sessions
  add constraint sessions_factor foreign key (factor_id) references auth.mfa_factors on delete set null;
create index sessions_factor on auth.sessions (factor_id);
comment on column auth.sessions.factor_id is 'The second factor that raised the session to aal2; null where a recovery code did.';

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  -- Only the session that asked may answer.
  session_id uuid not null references auth.sessions on delete cascade,
  -- Of a code that was sent; a TOTP factor needs none.
  code_hash bytea,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index mfa_challenges_factor on auth.mfa_challenges (factor_id);
create index mfa_challenges_session on auth.mfa_challenges (session_id);

-- A used code is gone. 80 random bits need no slow hash.
create table auth.recovery_codes (
  user_id uuid not null references auth.users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);

-- Where an account has signed in before: the hash of a random value in a cookie of that browser.
create table auth.known_devices (
  user_id uuid not null references auth.users on delete cascade,
  device_hash bytea not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (user_id, device_hash)
);
create index known_devices_age on auth.known_devices (seen_at);

-- What happened to accounts. It outlives them, so the account is named by its id alone, and nothing here says who
-- that is: no address, no name, no secret.
create table auth.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  event text not null,
  user_id uuid,
  session_id uuid,
  -- Of something that happens often and tells little each time: how often within the hour that began at `at`.
  times integer not null default 1 check (times > 0),
  -- Whether it was done through the admin API.
  by_operator boolean not null default coalesce(current_setting('reunite.by_operator', true), '') = 'on',
  details jsonb not null default '{}'
);
create index audit_log_user on auth.audit_log (user_id, at desc);
create index audit_log_at on auth.audit_log (at);
create unique index audit_log_failures on auth.audit_log (event, coalesce(user_id, '00000000-0000-0000-0000-000000000000'), at)
  where event in ('sign_in_failed', 'second_factor_failed', 'recovery_code_failed');

do $$
declare
  table_name text;
begin
  foreach table_name in array array[
    'mfa_factors', 'mfa_challenges', 'recovery_codes', 'known_devices', 'audit_log'
  ] loop
    execute format('alter table auth.%I enable row level security', table_name);
    execute format('alter table auth.%I force row level security', table_name);
    -- Nobody rewrites the log; the old rows of it are removed.
    execute format('grant select, insert, %s delete on auth.%I to service_role',
      case table_name when 'audit_log' then 'update (times),' else 'update,' end, table_name);
  end loop;
end
$$;

create trigger mfa_factors_touch before update on auth.mfa_factors
  for each row execute function internal.touch_updated_at();

-- Every server asks again what an account may do, wherever it remembers an answer.
create function internal.announce_account_access() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then pg_catalog.to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then pg_catalog.to_jsonb(new) end;
begin
  perform pg_catalog.pg_notify('account_access_changed',
    coalesce(after, before) ->> case tg_table_name when 'users' then 'id' else 'user_id' end);
  return null;
end
$$;

create trigger users_announce_access after update of banned_until, deleted_at on auth.users
  for each row
  when (old.banned_until is distinct from new.banned_until or old.deleted_at is distinct from new.deleted_at)
  execute function internal.announce_account_access();
create trigger mfa_factors_announce_access after insert or update of status or delete on auth.mfa_factors
  for each row execute function internal.announce_account_access();
-- Lowered, a session is worth less than the tokens that it gave out; raised, it is worth more.
create trigger sessions_announce_access after update of aal on auth.sessions
  for each row when (old.aal is distinct from new.aal)
  execute function internal.announce_account_access();

-- What a removed factor proved is proved no more: its sessions fall back to aal1. With the last one the recovery
-- codes go, which are worth nothing without it, and so does what they proved. Before the factor is gone, because its
-- sessions forget which one it was.
create function internal.lower_sessions_of_removed_factor() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  is_last boolean := not exists (
    select from auth.mfa_factors where user_id = old.user_id and status = 'verified' and id <> old.id
  );
begin
  update auth.sessions
    set aal = 'aal1', factor_id = null, amr = (
      select coalesce(pg_catalog.jsonb_agg(entry order by place), '[]')
        from pg_catalog.jsonb_array_elements(amr) with ordinality as entries (entry, place)
        where entry ->> 'method' not in ('totp', 'mfa/phone', 'mfa/recovery_code')
    )
    where user_id = old.user_id and aal = 'aal2' and (is_last or factor_id = old.id);
  if is_last then
    delete from auth.recovery_codes where user_id = old.user_id;
  end if;
  return old;
end
$$;

create trigger mfa_factors_lower_sessions before delete on auth.mfa_factors
  for each row when (old.status = 'verified')
  execute function internal.lower_sessions_of_removed_factor();

-- The mail about a sign-in on a new device is on its way exactly if there was one. Runs as whoever migrated, who
-- owns the job queue.
create function internal.enqueue_new_sign_in_notice() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_new_sign_in',
    pg_catalog.json_build_object('user_id', new.user_id, 'session_id', new.id),
    job_key := 'notify_new_sign_in:' || new.id
  );
  return null;
end
$$;

create trigger sessions_enqueue_notice after insert on auth.sessions
  for each row when (new.device_is_new)
  execute function internal.enqueue_new_sign_in_notice();

-- The audit log is written by the rows that change, in the transaction that changes them: no way of changing them,
-- ours or an operator's, goes around it.
create function internal.record_event(
    event_param text, user_id_param uuid, session_id_param uuid default null, details_param jsonb default '{}'
  ) returns void
  language sql
  set search_path = ''
  begin atomic
    insert into auth.audit_log (event, user_id, session_id, details)
      values (event_param, user_id_param, session_id_param, details_param);
  end;

-- Of failures there may be many: one row for each account and hour counts them. Those at addresses without an
-- account are counted together.
create function internal.record_failure(event_param text, user_id_param uuid) returns void
  language sql
  set search_path = ''
  begin atomic
    insert into auth.audit_log as log (at, event, user_id)
      values (pg_catalog.date_trunc('hour', pg_catalog.now()), event_param, user_id_param)
      on conflict (event, coalesce(user_id, '00000000-0000-0000-0000-000000000000'), at)
        where event in ('sign_in_failed', 'second_factor_failed', 'recovery_code_failed')
      do update set times = log.times + 1;
  end;

create function internal.audit_account() returns trigger
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
  if old.email is distinct from new.email then
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

create trigger users_audit after insert or update or delete on auth.users
  for each row execute function internal.audit_account();

create function internal.audit_session() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform internal.record_event('signed_in', new.user_id, new.id,
      pg_catalog.jsonb_build_object('method', new.amr -> 0 ->> 'method', 'new_device', new.device_is_new));
  elsif tg_op = 'DELETE' then
    perform internal.record_event('session_ended', old.user_id, old.id);
  elsif new.aal = 'aal2' then
    perform internal.record_event('second_factor_passed', new.user_id, new.id,
      pg_catalog.jsonb_build_object('method', new.amr -> 0 ->> 'method'));
  else
    perform internal.record_event('session_lowered', new.user_id, new.id);
  end if;
  return null;
end
$$;

create trigger sessions_audit after insert or delete on auth.sessions
  for each row execute function internal.audit_session();
create trigger sessions_audit_assurance after update of aal on auth.sessions
  for each row when (old.aal is distinct from new.aal)
  execute function internal.audit_session();

create function internal.audit_factor() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' then
    perform internal.record_event('factor_removed', old.user_id, null,
      pg_catalog.jsonb_build_object('type', old.factor_type, 'status', old.status));
  else
    perform internal.record_event(
      case tg_op when 'INSERT' then 'factor_enrolled' else 'factor_verified' end, new.user_id, null,
      pg_catalog.jsonb_build_object('type', new.factor_type));
  end if;
  return null;
end
$$;

create trigger mfa_factors_audit after insert or delete on auth.mfa_factors
  for each row execute function internal.audit_factor();
create trigger mfa_factors_audit_status after update of status on auth.mfa_factors
  for each row when (old.status is distinct from new.status)
  execute function internal.audit_factor();

create function internal.audit_identity() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' then
    perform internal.record_event('identity_unlinked', old.user_id, null,
      pg_catalog.jsonb_build_object('provider', old.provider));
  else
    perform internal.record_event('identity_linked', new.user_id, null,
      pg_catalog.jsonb_build_object('provider', new.provider));
  end if;
  return null;
end
$$;

create trigger identities_audit after insert or delete on auth.identities
  for each row execute function internal.audit_identity();

-- The caller's sessions, the newest use first. A session is used at the latest when its tokens are refreshed.
create function public.list_sessions() returns table (
    id uuid, created_at timestamptz, last_used_at timestamptz, device text, aal text, is_current boolean
  )
  language sql stable security definer
  set search_path = ''
  as $$
    select session.id, session.created_at, coalesce(session.refreshed_at, session.created_at), session.device,
        session.aal, session.id::text = (select auth.jwt()) ->> 'session_id'
      from auth.sessions as session
      where session.user_id = (select auth.uid())
        and (session.not_after is null or session.not_after > pg_catalog.now())
      order by 3 desc, 1
  $$;

create function public.end_session(session_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  delete from auth.sessions where id = session_id_param and user_id = (select auth.uid());
  if not found then
    raise exception 'There is no such session' using errcode = 'PT404';
  end if;
end
$$;

-- Capitals, blanks and dashes are as one likes, and letters that look like digits are those digits (Crockford).
create function internal.hash_recovery_code(code text) returns bytea
  language sql immutable
  set search_path = ''
  as $$
    select pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.translate(
      pg_catalog.regexp_replace(pg_catalog.lower(code), '[^0-9a-z]', '', 'g'), 'oil', '011'), 'UTF8'))
  $$;

-- Ten new codes in place of all older ones; nobody can ask for the same ones again.
create function public.make_recovery_codes() returns text[]
  language plpgsql security definer
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

create function public.count_recovery_codes() returns integer
  language sql stable security definer
  set search_path = ''
  as $$ select pg_catalog.count(*)::integer from auth.recovery_codes where user_id = (select auth.uid()) $$;

-- Raises the caller's session to aal2. Whoever has shown no second factor yet counts as a visitor everywhere, so the
-- function is for visitors too: the service writes into the claims whose sign-in is unfinished.
create function public.use_recovery_code(code_param text) returns void
  language plpgsql security definer
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
    set aal = 'aal2', factor_id = null, amr = pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object(
      'method', 'mfa/recovery_code', 'timestamp', pg_catalog.floor(extract(epoch from pg_catalog.now()))::bigint
    )) || amr
    where id::text = claims ->> 'session_id' and user_id = caller;
  if not found then
    raise exception 'The sign-in is over' using errcode = '42501';
  end if;
  perform internal.record_event('recovery_code_used', caller, (claims ->> 'session_id')::uuid);
end
$$;

grant create on schema public to service_role;
alter function public.list_sessions() owner to service_role;
alter function public.end_session(uuid) owner to service_role;
alter function public.make_recovery_codes() owner to service_role;
alter function public.count_recovery_codes() owner to service_role;
alter function public.use_recovery_code(text) owner to service_role;
revoke create on schema public from service_role;

grant execute on function internal.record_event(text, uuid, uuid, jsonb), internal.record_failure(text, uuid), internal.hash_recovery_code(text)
  to service_role;
grant execute on function public.list_sessions(), public.end_session(uuid), public.make_recovery_codes(),
  public.count_recovery_codes() to authenticated, service_role;
grant execute on function public.use_recovery_code(text) to anon, authenticated, service_role;

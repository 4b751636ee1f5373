-- kind: compatible
-- Accounts, identities, sessions, refresh tokens and one-time codes of the auth service.

create table auth.users (
  instance_id uuid,
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  phone text,
  phone_confirmed_at timestamptz,
  -- Set by whichever proof comes first: an account without it cannot sign in.
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  registrations integer not null default 1 check (registrations > 0),
  confirmation_sent_at timestamptz,
  invited_at timestamptz,
  recovery_sent_at timestamptz,
  new_email text,
  email_change_sent_at timestamptz,
  new_phone text,
  phone_change_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  is_super_admin boolean,
  is_anonymous boolean not null default false,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_email_is_lower_case check (email = lower(email)),
  constraint users_email_length check (char_length(email) <= 254),
  constraint users_phone_is_digits check (phone ~ '^[1-9][0-9]{1,14}$')
);
comment on column auth.users.phone is 'E.164 without the plus. Only a number that its owner has proved stands here.';
comment on column auth.users.registrations is 'How many registrations of the address there were before one was confirmed, the newest included. Each replaced the one before.';
comment on column auth.users.encrypted_password is 'A password hash in PHC format (Argon2id). The name is the one that fixtures use.';

create unique index users_email on auth.users (email) where deleted_at is null;
create unique index users_phone on auth.users (phone) where deleted_at is null;

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  email text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint identities_provider_id unique (provider, provider_id)
);
create index identities_user on auth.identities (user_id);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  -- [{"method": "password", "timestamp": 1767225600}], newest first.
  amr jsonb not null default '[]',
  created_at timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after timestamptz
);
create index sessions_user on auth.sessions (user_id);

-- One row for each token ever given out by a session that still lives; the token itself is nowhere.
create table auth.refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references auth.sessions on delete cascade,
  counter integer not null check (counter >= 0),
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint refresh_tokens_order unique (session_id, counter)
);
-- At most one living descendant of a session, whatever races.
create unique index refresh_tokens_active on auth.refresh_tokens (session_id) where revoked_at is null;

create table auth.one_time_tokens (
  user_id uuid not null references auth.users on delete cascade,
  token_type text not null check (token_type in (
    'confirmation', 'recovery', 'email_change_current', 'email_change_new', 'phone_change', 'reauthentication', 'sign_in'
  )),
  token_hash bytea not null,
  -- The address or number that the code was sent to, and so what it proves.
  relates_to text not null,
  channel text not null check (channel in ('email', 'sms')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- A new code of the same type replaces the old one.
  primary key (user_id, token_type)
);
create index one_time_tokens_expiry on auth.one_time_tokens (expires_at);

do $$
declare
  table_name text;
begin
  foreach table_name in array array['users', 'identities', 'sessions', 'refresh_tokens', 'one_time_tokens'] loop
    execute format('alter table auth.%I enable row level security', table_name);
    execute format('alter table auth.%I force row level security', table_name);
    execute format('grant select, insert, update, delete on auth.%I to service_role', table_name);
  end loop;
end
$$;

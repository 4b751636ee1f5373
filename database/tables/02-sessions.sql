create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  factor_type text not null check (factor_type in ('totp', 'phone', 'webauthn')),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  friendly_name text not null default '' check (char_length(friendly_name) <= 120),
  -- Encrypted with a key that the database does not have.
  secret bytea,
  -- E.164 without the plus.
  phone text,
  -- The 30-second step of the newest code that was accepted: neither it nor an older one is accepted again.
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  credential jsonb,
  constraint mfa_factors_check check ((secret is not null) = (factor_type = 'totp')),
  constraint mfa_factors_check1 check ((phone is not null) = (factor_type = 'phone')),
  constraint mfa_factors_credential check ((credential is not null) = (factor_type = 'webauthn' and status = 'verified'))
);

comment on column auth.mfa_factors.credential is 'Of a security key: its id and public key in base64url, and its newest counter.';

create unique index mfa_factors_name on auth.mfa_factors (user_id, friendly_name) where friendly_name <> '';
-- Which countries the numbers are of, for the operator at each start.
create index mfa_factors_phone on auth.mfa_factors (phone) where status = 'verified';
create index mfa_factors_user on auth.mfa_factors (user_id);

create trigger mfa_factors_announce_access after insert or delete or update of status on auth.mfa_factors
  for each row execute function internal.announce_account_access();
create trigger mfa_factors_audit after insert or delete on auth.mfa_factors
  for each row execute function internal.audit_factor();
create trigger mfa_factors_audit_status after update of status on auth.mfa_factors
  for each row when (old.status is distinct from new.status) execute function internal.audit_factor();
create trigger mfa_factors_lower_sessions before delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function internal.lower_sessions_of_removed_factor();
create trigger mfa_factors_note_ending after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function internal.note_ending('id');
create trigger mfa_factors_touch before update on auth.mfa_factors
  for each row execute function internal.touch_updated_at();

-- Passkeys that sign in: discoverable WebAuthn credentials. Those of second factors are in auth.mfa_factors.
create table auth.passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- COSE.
  public_key bytea not null,
  -- The newest that was shown. Most passkeys always show 0.
  counter bigint not null default 0 check (counter >= 0),
  friendly_name text not null default '' check (char_length(friendly_name) <= 120),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create index passkeys_user on auth.passkeys (user_id);

create trigger passkeys_audit after insert or delete on auth.passkeys
  for each row execute function internal.audit_passkey();
create trigger passkeys_note_ending after delete on auth.passkeys
  for each row execute function internal.note_ending('id');

-- Challenges of passkeys that were answered. The others are nowhere: a challenge is made from its id.
create table auth.spent_challenges (
  id uuid primary key,
  expires_at timestamptz not null
);

create index spent_challenges_expiry on auth.spent_challenges (expires_at);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  aal text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  -- [{"method": "password", "timestamp": 1767225600}], newest first.
  amr jsonb not null default '[]'::jsonb,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after timestamptz,
  device text not null default 'Unknown device' check (char_length(device) <= 80),
  device_is_new boolean not null default false,
  factor_id uuid,
  proved_at timestamptz not null default now(),
  device_hash bytea,
  passkey_id uuid,
  constraint sessions_factor foreign key (factor_id) references auth.mfa_factors(id) on delete set null,
  constraint sessions_passkey foreign key (passkey_id) references auth.passkeys(id) on delete cascade
);

comment on column auth.sessions.not_after is 'When the session ends, unless it is used before. Each use moves it.';
comment on column auth.sessions.device is 'Short words made from the user agent at sign-in, which itself is not kept.';
comment on column auth.sessions.device_is_new is 'The account had signed in before, and never on this device.';
comment on column auth.sessions.factor_id is 'The second factor that raised the session to aal2; null where a recovery code or a passkey did.';
comment on column auth.sessions.passkey_id is 'The passkey that began the session, which ends with it.';
comment on column auth.sessions.proved_at is 'When the holder last proved who they are: by signing in, a password, a code that was asked for, or a second factor.';
comment on column auth.sessions.device_hash is 'What auth.known_devices keeps of the device that the session began on. Null for sessions from before it was kept.';

create index sessions_end on auth.sessions (not_after);
create index sessions_factor on auth.sessions (factor_id);
create index sessions_passkey on auth.sessions (passkey_id);
create index sessions_user on auth.sessions (user_id);

create trigger sessions_announce_access after update of aal on auth.sessions
  for each row when (old.aal is distinct from new.aal) execute function internal.announce_account_access();
create trigger sessions_announce_end after delete on auth.sessions
  for each row execute function internal.announce_session_end();
create trigger sessions_audit after insert or delete on auth.sessions
  for each row execute function internal.audit_session();
create trigger sessions_audit_assurance after update of aal on auth.sessions
  for each row when (old.aal is distinct from new.aal) execute function internal.audit_session();
create trigger sessions_bound after insert or update of aal on auth.sessions
  for each row execute function internal.bound_sessions();
create trigger sessions_enqueue_notice after insert on auth.sessions
  for each row when (new.device_is_new) execute function internal.enqueue_new_sign_in_notice();
create trigger sessions_note_ending after delete on auth.sessions
  for each row execute function internal.note_ending('id');
create trigger sessions_remember_device after update of aal on auth.sessions
  for each row when (new.aal = 'aal2' and new.device_hash is not null)
  execute function internal.remember_device_with_factor();

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
-- For the daily removal of what has expired.
create index refresh_tokens_revoked on auth.refresh_tokens (revoked_at) where revoked_at is not null;

-- What a followed link of a flow with a proof key gave: exchanged once, within minutes, by whoever has the verifier.
create table auth.authorization_codes (
  code_hash bytea primary key,
  user_id uuid not null references auth.users on delete cascade,
  code_challenge text not null check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- How the session that it becomes was begun (wire contract, section 1.4).
  method text not null,
  expires_at timestamptz not null,
  proved_at timestamptz
);

create index authorization_codes_expiry on auth.authorization_codes (expires_at);
create index authorization_codes_user on auth.authorization_codes (user_id);

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

create index mfa_challenges_expiry on auth.mfa_challenges (expires_at);
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
  -- A session that began on the device has shown the account's second factor.
  has_shown_factor boolean not null default false,
  primary key (user_id, device_hash)
);

comment on table auth.known_devices is 'Devices where an account has signed in: the hash of a random value in a cookie. Which of them count, internal.is_known_device says.';

create index known_devices_age on auth.known_devices (seen_at);

create trigger known_devices_bound after insert or update of has_shown_factor on auth.known_devices
  for each row execute function internal.bound_known_devices();

-- A visit to a provider that is under way, from the redirect to it until the answer, which is taken once.
create table auth.oidc_flows (
  -- SHA-256 of the state that the provider gives back: 256 random bits, from which nonce and verifier are made.
  state_hash bytea primary key,
  -- SHA-256 of a cookie: only the browser that began the visit may end it.
  browser_hash bytea not null,
  provider text not null,
  redirect_to text not null,
  -- S256 of the verifier that the client of this flow keeps (RFC 7636); null where it takes its session at once.
  code_challenge text check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- The session whose account the identity is to be linked to; null for a sign-in. It ends with the session.
  session_id uuid references auth.sessions on delete cascade,
  expires_at timestamptz not null
);

create index oidc_flows_expiry on auth.oidc_flows (expires_at);
create index oidc_flows_session on auth.oidc_flows (session_id);

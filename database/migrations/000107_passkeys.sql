-- kind: compatible
-- Passkeys that sign in, and security keys as second factors.
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
alter table auth.passkeys enable row level security;
alter table auth.passkeys force row level security;

create index passkeys_user on auth.passkeys (user_id);

create trigger passkeys_audit after insert or delete on auth.passkeys
  for each row execute function internal.audit_passkey();
create trigger passkeys_note_ending after delete on auth.passkeys
  for each row execute function internal.note_ending('id');

grant select, insert, update, delete on auth.passkeys to service_role;

-- Challenges of passkeys that were answered. The others are nowhere: a challenge is made from its id.
create table auth.spent_challenges (
  id uuid primary key,
  expires_at timestamptz not null
);
alter table auth.spent_challenges enable row level security;
alter table auth.spent_challenges force row level security;

create index spent_challenges_expiry on auth.spent_challenges (expires_at);

grant select, insert, update, delete on auth.spent_challenges to service_role;

alter table auth.sessions
  add column passkey_id uuid,
  add constraint sessions_passkey foreign key (passkey_id) references auth.passkeys(id) on delete cascade;
comment on column auth.sessions.factor_id is 'The second factor that raised the session to aal2; null where a recovery code or a passkey did.';
comment on column auth.sessions.passkey_id is 'The passkey that began the session, which ends with it.';
create index sessions_passkey on auth.sessions (passkey_id);

alter table auth.mfa_factors
  drop constraint mfa_factors_factor_type_check,
  add constraint mfa_factors_factor_type_check check (factor_type in ('totp', 'phone', 'webauthn')),
  add column credential jsonb,
  add constraint mfa_factors_credential check ((credential is not null) = (factor_type = 'webauthn' and status = 'verified'));
comment on column auth.mfa_factors.credential is 'Of a security key: its id and public key in base64url, and its newest counter.';

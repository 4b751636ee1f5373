create table auth.one_time_tokens (
  user_id uuid not null references auth.users on delete cascade,
  token_type text not null check (token_type in ('confirmation', 'invite', 'sign_in', 'recovery',
    'email_change_current', 'email_change_new', 'phone_change', 'reauthentication', 'address_proof',
    'address_disowning')),
  token_hash bytea,
  -- The address or number that the code was sent to, and so what it proves.
  relates_to text not null,
  channel text not null check (channel in ('email', 'sms')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- SHA-256 of what the link carries, 256 random bits; null where only a code was sent.
  link_hash bytea unique,
  link_expires_at timestamptz,
  -- S256 of the verifier that the client of this flow keeps (RFC 7636); its link gives a code and no session.
  code_challenge text check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- Guesses by the browser that asked for the code, or by a device where the account has signed in before.
  own_attempts integer not null default 0,
  proved_at timestamptz,
  -- Later requests have higher ids.
  id bigint primary key generated always as identity,
  -- What auth.known_devices keeps of the device that asked. Null where an operator or a job did.
  asked_on bytea,
  begun_on bytea,
  constraint one_time_tokens_have_a_secret check (token_hash is not null or link_hash is not null),
  constraint one_time_tokens_link_expires check ((link_hash is null) = (link_expires_at is null))
);

comment on table auth.one_time_tokens is 'Codes and links that were sent, each until it expires, or until one of the same account and purpose is used.';
comment on column auth.one_time_tokens.attempts is 'Guesses at the code by strangers. They do not touch the link, which nobody can guess.';
comment on column auth.one_time_tokens.begun_on is 'SHA-256 of the device cookie of the browser that began the change or registered the address. A message that is sent again keeps it. Null where the browser had no cookie, or an operator began the change.';

create index one_time_tokens_expiry on auth.one_time_tokens (expires_at);
create index one_time_tokens_purpose on auth.one_time_tokens (user_id, token_type);
create index one_time_tokens_recipient on auth.one_time_tokens (relates_to);

-- Wrong codes in a row, of all kinds together, by strangers. A proof of any kind sets it back.
create table auth.code_failures (
  user_id uuid primary key references auth.users on delete cascade,
  in_a_row integer not null check (in_a_row > 0)
);

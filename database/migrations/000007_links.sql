-- kind: compatible
-- Links beside one-time codes, proof keys, changes of an address that wait for their proof, and addresses that nobody
-- has proved.

alter table auth.one_time_tokens
  -- Null where only a link was sent.
  alter column token_hash drop not null,
  -- SHA-256 of what the link carries, 256 random bits; null where only a code was sent.
  add column link_hash bytea unique,
  add column link_expires_at timestamptz,
  -- S256 of the verifier that the client of this flow keeps (RFC 7636); its link gives a code and no session.
  add column code_challenge text check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  add constraint one_time_tokens_have_a_secret check (token_hash is not null or link_hash is not null),
  add constraint one_time_tokens_link_expires check ((link_hash is null) = (link_expires_at is null)),
  drop constraint one_time_tokens_token_type_check,
  add constraint one_time_tokens_token_type_check check (token_type in (
    'confirmation', 'invite', 'sign_in', 'recovery', 'email_change_current', 'email_change_new', 'phone_change',
    'reauthentication', 'address_proof', 'address_disowning'
  ));
comment on column auth.one_time_tokens.attempts is 'Guesses at the code. They do not touch the link, which nobody can guess.';
create index one_time_tokens_recipient on auth.one_time_tokens (relates_to);

-- What a followed link of a flow with a proof key gave: exchanged once, within minutes, by whoever has the verifier.
create table auth.authorization_codes (
  code_hash bytea primary key,
  user_id uuid not null references auth.users on delete cascade,
  code_challenge text not null check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- How the session that it becomes was begun (wire contract, section 1.4).
  method text not null,
  expires_at timestamptz not null
);
create index authorization_codes_user on auth.authorization_codes (user_id);
create index authorization_codes_expiry on auth.authorization_codes (expires_at);
alter table auth.authorization_codes enable row level security;
alter table auth.authorization_codes force row level security;
grant select, insert, update, delete on auth.authorization_codes to service_role;

alter table auth.users
  -- Which proofs a change of the e-mail address still waits for.
  add column email_change_awaits text[] not null default '{}'
    check (email_change_awaits <@ array['email_change_current', 'email_change_new']),
  -- How many notices went to the address while nobody had proved it.
  add column unproved_notices smallint not null default 0;

-- kind: compatible
-- Sign-in through other providers, and what lists of accounts need.

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
alter table auth.oidc_flows enable row level security;
alter table auth.oidc_flows force row level security;
grant select, insert, update, delete on auth.oidc_flows to service_role;

create index users_age on auth.users (created_at desc, id);

comment on column auth.users.phone is 'E.164 without the plus: a number that its owner has proved, or that an operator set.';

-- Values that must be the same for every server on this database and never leave it.
create table internal.secrets (
  name text primary key,
  value text not null
);
alter table internal.secrets enable row level security;
alter table internal.secrets force row level security;

grant select on internal.secrets to service_role;

-- Counters of rate-limiter-flexible, in the shape which that library expects.
create table internal.rate_limits (
  key character varying(255) primary key,
  points integer not null default 0,
  expire bigint
);
alter table internal.rate_limits enable row level security;
alter table internal.rate_limits force row level security;

create index rate_limits_expire on internal.rate_limits (expire);

grant select, insert, update, delete on internal.rate_limits to service_role;

-- Every e-mail and SMS of a development server. A production server has real senders and writes nothing here.
create table internal.development_outbox (
  id bigint primary key generated always as identity,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  subject text,
  body text not null,
  -- A delivery that is tried again after a crash stays one.
  delivery_key text unique,
  sent_at timestamptz not null default now()
);
alter table internal.development_outbox enable row level security;
alter table internal.development_outbox force row level security;

-- For the deletion of an account.
create index development_outbox_recipient on internal.development_outbox (recipient);

create trigger development_outbox_announce after insert on internal.development_outbox
  for each row execute function internal.announce_development_outbox();

grant select, insert, delete on internal.development_outbox to service_role;

-- What makes references to owners, and what signs addresses of files. 244 random bits each: gen_random_uuid() draws from
-- the server's strong generator.
insert into internal.secrets (name, value) values
  ('owner_reference', gen_random_uuid()::text || gen_random_uuid()::text),
  ('storage_addresses', gen_random_uuid()::text || gen_random_uuid()::text);

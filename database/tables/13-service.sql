-- Values that must be the same for every server on this database and never leave it.
create table internal.secrets (
  name text primary key,
  value text not null
);

grant select on internal.secrets to service_role;

-- Counters of rate-limiter-flexible, in the shape which that library expects.
create table internal.rate_limits (
  key character varying(255) primary key,
  points integer not null default 0,
  expire bigint
);

create index rate_limits_expire on internal.rate_limits (expire);

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

-- For the deletion of an account.
create index development_outbox_recipient on internal.development_outbox (recipient);

create trigger development_outbox_announce after insert on internal.development_outbox
  for each row execute function internal.announce_development_outbox();

grant select, insert, delete on internal.development_outbox to service_role;

-- Fingerprints of the keys of messages that were accepted, so that a job that runs again does not send them twice.
create table internal.sent_keys (
  key text primary key,
  sent_at timestamptz not null default now()
);

create index sent_keys_sent_at on internal.sent_keys (sent_at);

-- What ended lately, so that a backup from before cannot bring it back unnoticed. Deleted as the audit log is.
create table internal.endings (
  -- A table whose row was deleted (of stopped emails: made), or one and a column that ended something.
  what text not null,
  id text not null,
  at timestamptz not null default clock_timestamp(),
  taken_back boolean not null default false,
  primary key (what, id)
);

comment on table internal.endings is 'Ids and times of what ended, also of deleted accounts. It contains no other data.';
comment on column internal.endings.taken_back is 'A switch was turned on again, or a ban or void was lifted. The entry stays, because copies of it may be outside the database.';

create index endings_at on internal.endings (at);

-- What makes references to owners, and what signs addresses of files. 244 random bits each: gen_random_uuid() draws from
-- the server's strong generator.
insert into internal.secrets (name, value) values
  ('owner_reference', gen_random_uuid()::text || gen_random_uuid()::text),
  ('storage_addresses', gen_random_uuid()::text || gen_random_uuid()::text);

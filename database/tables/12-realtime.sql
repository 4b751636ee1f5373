-- Broadcasts that are made in the database. Policies on this table say who may join a private channel (SELECT, while
-- `realtime.topic()` is its name and `extension` is 'broadcast' or 'presence') and who may send on it (INSERT).
-- Without a policy nobody may.
create table realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null check (char_length(topic) <= 255),
  extension text not null check (extension in ('broadcast', 'presence')),
  event text check (char_length(event) <= 255),
  payload jsonb,
  private boolean not null default false,
  updated_at timestamp without time zone not null default now(),
  inserted_at timestamp without time zone not null default (clock_timestamp() AT TIME ZONE 'UTC'),
  binary_payload bytea,
  primary key (id, inserted_at)
);

create index messages_inserted_at on realtime.messages (inserted_at);
create index messages_replay on realtime.messages (topic, inserted_at) where private and extension = 'broadcast';

create trigger messages_announce after insert on realtime.messages
  for each row execute function realtime.announce_message();

grant select, insert on realtime.messages to anon, authenticated;

-- The servers that have somebody present, and who is present through them. What is lost in a crash of PostgreSQL is
-- written again by the servers, so neither table is logged.
create unlogged table realtime.servers (
  id uuid primary key,
  seen_at timestamptz not null default now()
);

create unlogged table realtime.presences (
  server_id uuid not null references realtime.servers on delete cascade,
  -- Of the channel, on that server.
  channel_id bigint not null,
  topic text not null,
  private boolean not null,
  key text not null,
  ref text not null,
  payload jsonb not null,
  primary key (server_id, channel_id)
);

create index presences_topic on realtime.presences (topic, private);

create trigger presences_announce after insert or delete or update on realtime.presences
  for each row execute function realtime.announce_presence();

-- The tables that tell their changes. The publication is only the list of them, under the name that existing SQL adds tables
-- to: no replication slot reads it.
create publication supabase_realtime for table public.channel_openings, public.items, public.messages;

-- kind: compatible
-- Broadcast and presence: what clients tell each other over a channel, through whichever server each is connected to.

-- NOTIFY of a message of any size. Over 7,900 bytes it goes in parts, `id#part/parts#base64`, which PostgreSQL delivers
-- one after the other, since they are of one transaction. A message starts with `{`, so it can't be taken for a part.
-- Two equal messages of one transaction would be delivered once: each must be different.
create function realtime.tell(channel text, message text) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  part_bytes constant integer := 5700;
  bytes bytea := pg_catalog.convert_to(message, 'UTF8');
  parts integer := (pg_catalog.octet_length(bytes) + part_bytes - 1) / part_bytes;
  id uuid := pg_catalog.gen_random_uuid();
begin
  if pg_catalog.octet_length(bytes) < 7900 then
    perform pg_catalog.pg_notify(channel, message);
    return;
  end if;
  for part in 0..parts - 1 loop
    perform pg_catalog.pg_notify(channel, pg_catalog.format('%s#%s/%s#%s', id, part + 1, parts,
      pg_catalog.encode(pg_catalog.substr(bytes, part * part_bytes + 1, part_bytes), 'base64')));
  end loop;
end
$$;

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
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  primary key (id, inserted_at)
);
create index messages_inserted_at on realtime.messages (inserted_at);
alter table realtime.messages enable row level security;
alter table realtime.messages force row level security;
grant select, insert on realtime.messages to anon, authenticated;
grant select, insert, update, delete on realtime.messages to service_role;

create function realtime.topic() returns text
  language sql stable
  set search_path = ''
  as $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- Definer: whoever a policy lets insert a message tells of it, and needs no other right.
create function realtime.announce_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if new.extension = 'broadcast' then
    perform realtime.tell('realtime_broadcast', pg_catalog.json_build_object(
      'id', new.id, 'topic', new.topic, 'private', new.private, 'event', coalesce(new.event, ''),
      'payload', coalesce(new.payload, '{}')::text, 'meta', pg_catalog.json_build_object('id', new.id)
    )::text);
  end if;
  return null;
end
$$;

grant create on schema realtime to service_role;
alter function realtime.announce_message() owner to service_role;
revoke create on schema realtime from service_role;

create trigger messages_announce after insert on realtime.messages
  for each row execute function realtime.announce_message();

-- Tells a channel something from SQL. A trigger that calls it must not fail for it: what goes wrong is a warning.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform pg_catalog.set_config('realtime.topic', topic, true);
  insert into realtime.messages (payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception when others then
  raise warning 'The broadcast could not be sent: %', sqlerrm;
end
$$;

-- For a trigger that tells a channel of each change of its table.
create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record,
  level text default 'ROW'
) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  if level <> 'ROW' then
    raise exception 'realtime.broadcast_changes is for triggers that run for each row' using errcode = '22023';
  end if;
  perform realtime.send(pg_catalog.jsonb_build_object(
    'id', pg_catalog.gen_random_uuid(), 'operation', operation, 'table', table_name, 'schema', table_schema,
    'record', pg_catalog.to_jsonb(new), 'old_record', pg_catalog.to_jsonb(old)
  ), event_name, topic_name);
end
$$;

grant execute on function realtime.topic() to anon, authenticated, service_role;
grant execute on function realtime.send(jsonb, text, text, boolean),
  realtime.broadcast_changes(text, text, text, text, text, record, record, text) to service_role;
grant execute on function realtime.tell(text, text) to service_role;

-- What a caller may do on a private channel: {"broadcast": {"read", "write"}, "presence": {"read", "write"}}.
-- Policies look at rows, so it makes some, and takes them back: nothing is kept and nothing is told.
create function realtime.access_to(topic_name text, role_name text, claims jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
declare
  kind text;
  reads boolean;
  writes boolean;
  access jsonb := '{}';
begin
  foreach kind in array array['broadcast', 'presence'] loop
    begin
      insert into realtime.messages (topic, extension) values (topic_name, kind);
      perform pg_catalog.set_config('realtime.topic', topic_name, true),
        pg_catalog.set_config('request.jwt.claims', claims::text, true),
        pg_catalog.set_config('role', role_name, true);
      begin
        reads := exists (select from realtime.messages where topic = topic_name and extension = kind);
      exception when others then
        reads := false;
      end;
      begin
        insert into realtime.messages (topic, extension) values (topic_name, kind);
        writes := true;
      exception when others then
        writes := false;
      end;
      raise exception using errcode = 'RT000';
    exception when sqlstate 'RT000' then
      access := access || pg_catalog.jsonb_build_object(
        kind, pg_catalog.jsonb_build_object('read', reads, 'write', writes));
    end;
  end loop;
  return access;
end
$$;
grant execute on function realtime.access_to(text, text, jsonb) to service_role;

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
alter table realtime.servers enable row level security;
alter table realtime.servers force row level security;
alter table realtime.presences enable row level security;
alter table realtime.presences force row level security;
grant select, insert, update, delete on realtime.servers, realtime.presences to service_role;

create function realtime.announce_presence() returns trigger
  language plpgsql
  set search_path = ''
  as $$
declare
  place realtime.presences := coalesce(new, old);
begin
  perform realtime.tell('realtime_presence', pg_catalog.json_build_object(
    'id', pg_catalog.gen_random_uuid(), 'topic', place.topic, 'private', place.private, 'key', place.key,
    'left', case when tg_op <> 'INSERT' then old.payload || pg_catalog.jsonb_build_object('phx_ref', old.ref) end,
    'joined', case when tg_op <> 'DELETE' then new.payload || pg_catalog.jsonb_build_object('phx_ref', new.ref)
      || case when tg_op = 'UPDATE' then pg_catalog.jsonb_build_object('phx_ref_prev', old.ref) else '{}' end end
  )::text);
  return null;
end
$$;

create trigger presences_announce after insert or update or delete on realtime.presences
  for each row execute function realtime.announce_presence();

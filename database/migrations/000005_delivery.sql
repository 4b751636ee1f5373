-- kind: compatible
-- What reaches an owner outside the app: the job that a message enqueues, and the development outbox.

-- In the transaction of the message itself: a message that is there has its notice, and one that is not has none.
-- Runs as whoever migrated, who owns the job queue; so it takes nothing but the id.
create function internal.enqueue_message_notice() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform graphile_worker.add_job(
    'notify_owner_of_message',
    pg_catalog.json_build_object('message_id', new.id),
    job_key := 'notify_owner_of_message:' || new.id
  );
  return null;
end
$$;

create trigger messages_enqueue_notice after insert on public.messages
  for each row when (new.sender = 'finder')
  execute function internal.enqueue_message_notice();

-- Every e-mail and SMS of a development server. A production server has real senders and writes nothing here.
create table internal.development_outbox (
  id bigint generated always as identity primary key,
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
grant select, insert on internal.development_outbox to service_role;

create function internal.announce_development_outbox() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  perform pg_catalog.pg_notify('development_outbox', new.id::text);
  return null;
end
$$;

create trigger development_outbox_announce after insert on internal.development_outbox
  for each row execute function internal.announce_development_outbox();

-- kind: compatible
-- Notices to an unproved address are counted by conversation, and its reader can stop them.
alter table internal.unproved_notices add column conversation_id uuid;

create table internal.stopped_recipients (
  recipient bytea not null primary key,
  stopped_at timestamptz not null default now()
);
alter table internal.stopped_recipients enable row level security;
alter table internal.stopped_recipients force row level security;
grant select, insert, delete on internal.stopped_recipients to service_role;

-- kind: compatible
-- Which messages were accepted is a row, not a file.
create table internal.sent_keys (
  key text primary key,
  sent_at timestamptz not null default now()
);
alter table internal.sent_keys enable row level security;
alter table internal.sent_keys force row level security;

create index sent_keys_sent_at on internal.sent_keys (sent_at);

grant select, insert, update, delete on internal.sent_keys to service_role;

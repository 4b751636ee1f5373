-- kind: compatible
-- By a mark that a server wrote to the primary, it knows a standby that follows this primary.
create table internal.standby_marks (
  id uuid primary key,
  created_at timestamptz not null default now()
);
comment on table internal.standby_marks is 'Written by servers with a standby, once for each connection to the primary.';
create index standby_marks_created on internal.standby_marks (created_at);
alter table internal.standby_marks enable row level security;
alter table internal.standby_marks force row level security;
grant select, insert, delete on internal.standby_marks to service_role;

-- kind: compatible
-- The accounts that may use the console.
-- Who may use the console. Metadata of an account never grants the role.
create table internal.operators (
  user_id uuid primary key references auth.users on delete cascade,
  created_at timestamptz not null default now()
);
alter table internal.operators enable row level security;
alter table internal.operators force row level security;

create trigger operators_audit after insert or delete on internal.operators
  for each row execute function internal.audit_operator();
create trigger operators_note_ending after delete on internal.operators
  for each row execute function internal.note_ending('user_id');

grant select, insert, delete on internal.operators to service_role;

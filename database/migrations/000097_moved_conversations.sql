-- kind: compatible
-- A finder whose conversation ended because the item has a new owner is told so.
create table internal.moved_keys (
  item_id uuid not null references public.items on delete cascade,
  key_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (item_id, key_hash)
);
alter table internal.moved_keys enable row level security;
alter table internal.moved_keys force row level security;

create index moved_keys_created on internal.moved_keys (created_at);

grant select, insert, update, delete on internal.moved_keys to service_role;

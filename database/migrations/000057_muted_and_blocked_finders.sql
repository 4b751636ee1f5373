-- kind: compatible
-- An owner mutes a conversation, or blocks its finder.

alter table public.conversations add column muted_at timestamptz, add column blocked_at timestamptz;
comment on column public.conversations.muted_at is 'Since when the owner gets no notices of its messages. They arrive all the same.';
comment on column public.conversations.blocked_at is 'Since when the finder''s messages are refused.';
grant select (muted_at, blocked_at), update (muted_at, blocked_at) on public.conversations to authenticated;

-- The finders whom an owner blocked, in conversations that are deleted: a browser keeps its key.
create table internal.blocked_keys (
  owner_id uuid not null references auth.users on delete cascade,
  key_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (owner_id, key_hash)
);
comment on column internal.blocked_keys.key_hash is 'SHA-256 of a finder''s key.';
create index blocked_keys_created on internal.blocked_keys (created_at);
alter table internal.blocked_keys enable row level security;
alter table internal.blocked_keys force row level security;
grant select, insert, update, delete on internal.blocked_keys to service_role;

create function internal.is_muted(conversation_id_param uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (select from public.conversations where id = conversation_id_param and muted_at is not null)
  $$;

-- Every way of notifying an owner begins with a trigger that has this condition.
drop trigger messages_enqueue_notice on public.messages;
create trigger messages_enqueue_notice after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_message_notice();
drop trigger messages_enqueue_pushes on public.messages;
create trigger messages_enqueue_pushes after insert on public.messages
  for each row when (new.sender = 'finder' and not internal.is_muted(new.conversation_id))
  execute function internal.enqueue_message_pushes();

-- Triggers, so that no path that writes a message or begins a conversation can miss a block. After the insertion: a retry of
-- a message that is stored already inserts nothing, and is confirmed as before.
create function internal.refuse_blocked_message() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if exists (select from public.conversations where id = new.conversation_id and blocked_at is not null) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  return null;
end
$$;
create trigger messages_refuse_blocked after insert on public.messages
  for each row when (new.sender = 'finder') execute function internal.refuse_blocked_message();

create function internal.refuse_blocked_conversation() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if exists (
    select from internal.blocked_keys where owner_id = new.owner_id and key_hash = new.finder_key_hash
  ) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  return null;
end
$$;
create trigger conversations_refuse_blocked after insert on public.conversations
  for each row execute function internal.refuse_blocked_conversation();

create function internal.keep_block() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into internal.blocked_keys (owner_id, key_hash)
    select old.owner_id, known.key_hash
      from (
        select old.finder_key_hash as key_hash where old.finder_key_hash is not null
        union
        select key_hash from internal.return_keys where conversation_id = old.id
      ) as known
      -- With the account, everything of it is deleted.
      where exists (select from auth.users where id = old.owner_id)
    on conflict do nothing;
  return old;
end
$$;
create trigger conversations_keep_block before delete on public.conversations
  for each row when (old.blocked_at is not null) execute function internal.keep_block();

grant create on schema internal to service_role;
alter function internal.is_muted(uuid) owner to service_role;
alter function internal.refuse_blocked_message() owner to service_role;
alter function internal.refuse_blocked_conversation() owner to service_role;
alter function internal.keep_block() owner to service_role;
revoke create on schema internal from service_role;
grant execute on function internal.is_muted(uuid) to service_role;

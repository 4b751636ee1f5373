-- kind: compatible
-- When each conversation's newest message was written, and since when its finder waits for a reply.
alter table public.conversations add column newest_at timestamptz, add column waits_since timestamptz;
comment on column public.conversations.newest_at is 'When its newest message was written.';
comment on column public.conversations.waits_since is 'When the finder first wrote after the owner''s latest reply. Null where the owner wrote last.';
with written as (
  select conversation_id, max(created_at) as newest_at, max(created_at) filter (where sender = 'owner') as replied_at
    from public.messages group by conversation_id
)
update public.conversations as conversation
  set newest_at = written.newest_at,
    waits_since = (
      select min(created_at) from public.messages as message
        where message.conversation_id = conversation.id and message.sender = 'finder'
          and message.created_at > coalesce(written.replied_at, '-infinity')
    )
  from written where written.conversation_id = conversation.id;
drop index public.conversations_owner;
create index conversations_owner on public.conversations (owner_id, newest_at, id);
create index conversations_waiting on public.conversations (owner_id, item_id)
  where waits_since is not null and returned_at is null and blocked_at is null;
grant select (newest_at, waits_since) on public.conversations to authenticated;

-- kind: compatible
-- What became of a finder's message: the finder reads whether it was delivered and, unless the owner hides it, about when it
-- was seen.

alter table public.conversations add column delivered_until timestamptz;
comment on column public.conversations.delivered_until is
  'When the newest of the finder''s messages that have reached the owner, in a notice or on a screen, was written.';

alter table public.profiles add column seen_shown boolean not null default true;
comment on column public.profiles.seen_shown is 'Whether finders read that the owner has seen their messages.';
grant update (seen_shown) on public.profiles to authenticated;

-- The finder reads it, so it is the server's time, whatever the clock of the owner's device says.
create function internal.stamp_read_time() returns trigger
  language plpgsql
  set search_path = ''
  as $$
begin
  new.read_at := coalesce(old.read_at, now());
  return new;
end
$$;
create trigger messages_stamp_read_time before update of read_at on public.messages
  for each row when (new.read_at is not null) execute function internal.stamp_read_time();

-- What became of the finder's latest message in a conversation: sent, delivered, or seen, which is to the hour. Null where
-- the owner has replied or has the item back since.
create function internal.progress_of_conversation(conversation_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
        'state', case
          when seen.at is not null then 'seen'
          when latest.read_at is not null or conversation.delivered_until >= latest.created_at then 'delivered'
          else 'sent'
        end,
        'seen_at', seen.at
      )
      from (
        select * from public.messages
          where conversation_id = conversation_id_param order by created_at desc, id desc limit 1
      ) as latest
      join public.conversations as conversation on conversation.id = latest.conversation_id
      left join public.profiles as owner on owner.id = conversation.owner_id
      cross join lateral (
        select case when owner.seen_shown then date_trunc('hour', latest.read_at, 'UTC') end as at
      ) as seen
      where latest.sender = 'finder' and conversation.returned_at is null
  $$;

-- As before, and what became of the latest message.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'returned', (select returned_at is not null from public.conversations where id = opened.id),
        'progress', internal.progress_of_conversation(opened.id),
        'messages', messages.shown
      )
      from (
        select internal.conversation_of_key(item.id, finder_key_param) as id
          from public.items as item where item.qr_id = qr_id_param
      ) as opened
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
            'id', message.id, 'sender', message.sender, 'body', message.body, 'sent_at', message.created_at
          ) order by message.created_at, message.id) as shown
          from (
            select id, sender, body, created_at from public.messages
              where conversation_id = opened.id
              order by created_at desc, id desc
              limit 100
          ) as message
      ) as messages
      where messages.shown is not null
  $$;

-- A screen of the caller's shows that there are unread messages: all of them are delivered.
create function public.confirm_delivery() returns void
  language sql security definer
  set search_path = ''
  as $$
    with arrived as (
      select conversation_id, max(created_at) as until from public.messages
        where owner_id = (select auth.uid()) and sender = 'finder' and read_at is null
        group by conversation_id
    ), held as (
      -- In one order, because several screens confirm at once.
      select conversation.id, arrived.until from public.conversations as conversation
        join arrived on arrived.conversation_id = conversation.id
        where conversation.delivered_until is null or conversation.delivered_until < arrived.until
        order by conversation.id for no key update of conversation
    )
    update public.conversations as conversation set delivered_until = held.until
      from held where conversation.id = held.id
  $$;

grant create on schema public, internal to service_role;
alter function internal.progress_of_conversation(uuid) owner to service_role;
alter function public.confirm_delivery() owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function internal.progress_of_conversation(uuid) to service_role;
grant execute on function public.confirm_delivery() to authenticated;

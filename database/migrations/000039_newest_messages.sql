-- kind: compatible
-- An item with the most messages keeps the newest ones, and owners delete conversations
-- (docs/decisions/0060-a-full-item-drops-its-oldest-messages.md).

alter table public.conversations add column replied_at timestamptz;
comment on column public.conversations.replied_at is 'When the owner first replied.';
update public.conversations as conversation set replied_at = reply.sent_at
  from (select conversation_id, min(created_at) as sent_at from public.messages where sender = 'owner' group by conversation_id) as reply
  where reply.conversation_id = conversation.id;
create index conversations_without_reply on public.conversations (item_id, created_at) where replied_at is null;

create policy "owners delete their own conversations" on public.conversations
  for delete to authenticated using (owner_id = (select auth.uid()));
grant delete on public.conversations to authenticated;

create function internal.note_reply() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.conversations set replied_at = new.created_at where id = new.conversation_id and replied_at is null;
  return null;
end
$$;
create trigger messages_note_reply after insert on public.messages
  for each row when (new.sender = 'owner') execute function internal.note_reply();

-- Messages beyond the most that an item keeps are deleted: the oldest ones of the oldest conversation that the owner has not
-- replied in, else the oldest of all. Usually that is one for each message that arrives.
create function internal.keep_newest_messages() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_messages constant integer := 50000;
  most_at_once constant integer := 10;
  excess integer;
  source uuid;
begin
  if not exists (
    select from public.messages where item_id = new.item_id order by created_at desc offset most_messages limit 1
  ) then
    return null;
  end if;
  -- Senders to a full item take turns, so that each deletes other messages.
  perform pg_advisory_xact_lock(hashtextextended('messages of ' || new.item_id, 0));
  select count(*) into excess from (
    select from public.messages where item_id = new.item_id order by created_at desc offset most_messages limit most_at_once
  ) as beyond;
  select id into source from public.conversations as conversation
    where item_id = new.item_id and replied_at is null and id <> new.conversation_id
      and exists (select from public.messages where conversation_id = conversation.id)
    order by created_at limit 1;
  if source is not null then
    -- What another transaction holds is passed over: it may wait for the turn that this one has.
    delete from public.messages where id in (
      select id from public.messages where conversation_id = source order by created_at limit excess
        for update skip locked
    );
    delete from public.conversations where id = (
      select id from public.conversations
        where id = source and not exists (select from public.messages where conversation_id = source)
        for update skip locked
    );
  else
    delete from public.messages where id in (
      select id from public.messages where item_id = new.item_id and id <> new.id order by created_at limit excess
        for update skip locked
    );
  end if;
  return null;
end
$$;
create trigger messages_keep_newest after insert on public.messages
  for each row execute function internal.keep_newest_messages();

-- As before, without a bound of its own.
create or replace function public.send_message(
  qr_id_param text,
  body_param text,
  message_id_param uuid default gen_random_uuid(),
  finder_key_param text default null
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  trimmed text := internal.trim_message(body_param);
  key_hash bytea := sha256(convert_to(finder_key_param, 'UTF8'));
  conversation uuid;
  message public.messages;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  if char_length(finder_key_param) not between 20 and 100 then
    raise exception 'The finder''s key is not one of ours' using errcode = '22023';
  end if;

  -- Held against deletion until the message is in.
  select * into item from public.items where qr_id = qr_id_param for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = qr_id_param for key share;
  end if;
  if item.id is null then
    raise exception 'No item has this code' using errcode = 'PT404';
  end if;
  if not coalesce(item.message_enabled, (select message_enabled from public.profiles where id = item.user_id), true) then
    raise exception 'The owner takes no messages for this item' using errcode = 'PT403';
  end if;

  -- Held against deletion as well.
  if key_hash is not null then
    select id into conversation from public.conversations
      where finder_key_hash = key_hash and item_id = item.id for key share;
  end if;
  if conversation is null then
    insert into public.conversations (item_id, owner_id, finder_key_hash)
      values (item.id, item.user_id, key_hash)
      on conflict (finder_key_hash) do nothing
      returning id into conversation;
    if conversation is null then
      -- The same browser sent twice at once; the other one has made it by now.
      select id into conversation from public.conversations
        where finder_key_hash = key_hash and item_id = item.id for key share;
    end if;
    if conversation is null then
      raise exception 'The finder''s key belongs to another conversation' using errcode = '23505';
    end if;
  end if;

  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body)
    values (coalesce(message_id_param, gen_random_uuid()), conversation, item.id, item.user_id, 'finder', trimmed)
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if message.item_id is distinct from item.id or message.body is distinct from trimmed or message.sender <> 'finder' then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
    -- What this call made for a message that was already there must not stay behind as an empty conversation.
    delete from public.conversations
      where id = conversation and not exists (select from public.messages where conversation_id = conversation);
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

grant create on schema internal to service_role;
alter function internal.note_reply() owner to service_role;
alter function internal.keep_newest_messages() owner to service_role;
revoke create on schema internal from service_role;

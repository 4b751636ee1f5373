-- kind: compatible
-- Conversations between a finder and an owner, neither of whom learns the other's address.

create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  item_id uuid not null references public.items on delete cascade,
  owner_id uuid not null references auth.users on delete cascade,
  -- SHA-256 of the key that the finder's browser keeps; null where it kept none.
  finder_key_hash bytea unique,
  created_at timestamptz not null default now()
);
create index conversations_item on public.conversations (item_id);
create index conversations_owner on public.conversations (owner_id);

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations on delete cascade,
  item_id uuid not null references public.items on delete cascade,
  owner_id uuid not null references auth.users on delete cascade,
  sender text not null check (sender in ('finder', 'owner')),
  -- char_length counts code points.
  body text not null check (char_length(body) between 1 and 250),
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index messages_conversation on public.messages (conversation_id, created_at);
create index messages_item on public.messages (item_id, created_at desc);
create index messages_owner on public.messages (owner_id, created_at desc);

alter table public.conversations enable row level security;
alter table public.conversations force row level security;
alter table public.messages enable row level security;
alter table public.messages force row level security;

create policy "owners read their own conversations" on public.conversations
  for select to authenticated using (owner_id = (select auth.uid()));
create policy "owners read their own messages" on public.messages
  for select to authenticated using (owner_id = (select auth.uid()));
create policy "owners mark their own messages as read" on public.messages
  for update to authenticated using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));

-- The key's hash is for the finder alone.
grant select (id, item_id, owner_id, created_at) on public.conversations to authenticated;
grant select on public.messages to authenticated;
grant update (read_at) on public.messages to authenticated;
grant select, insert, update, delete on public.conversations, public.messages to service_role;

-- A message as it is kept: line breaks as one character each (forms send two), and around it nothing that takes room
-- and shows nothing: JavaScript's white space and the characters of no width. domain/trim-message.ts is the same rule.
create function internal.trim_message(typed text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select btrim(
      replace(replace(typed, E'\r\n', E'\n'), E'\r', E'\n'),
      E'\t\n\x0B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
        || E'\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF'
    )
  $$;

-- A finder's message. Sent again with the same message id it is the same message, so a finder on a bad
-- connection may retry. Returns {"message_id", "sent_at"}.
-- Errors: PT404 no such item, PT403 messages are switched off, 22023 empty or over 250 code points when trimmed,
-- 23505 the id is taken.
create function public.send_message(
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
  if not found then
    raise exception 'No item has this code' using errcode = 'PT404';
  end if;
  if not coalesce(item.message_enabled, (select message_enabled from public.profiles where id = item.user_id), true) then
    raise exception 'The owner takes no messages for this item' using errcode = 'PT403';
  end if;

  if key_hash is not null then
    select id into conversation from public.conversations
      where finder_key_hash = key_hash and item_id = item.id;
  end if;
  if conversation is null then
    insert into public.conversations (item_id, owner_id, finder_key_hash)
      values (item.id, item.user_id, key_hash)
      on conflict (finder_key_hash) do nothing
      returning id into conversation;
    if conversation is null then
      -- The same browser sent twice at once; the other one has made it by now.
      select id into conversation from public.conversations
        where finder_key_hash = key_hash and item_id = item.id;
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

grant create on schema public to service_role;
alter function public.send_message(text, text, uuid, text) owner to service_role;
revoke create on schema public from service_role;
grant execute on function public.send_message(text, text, uuid, text) to anon, authenticated, service_role;
grant execute on function internal.trim_message(text) to service_role;

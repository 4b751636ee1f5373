-- kind: compatible
-- A finder returns to a conversation from any browser, by a return code or a private link.

-- SHA-256 of the key that the return code and the private link of a conversation stand for. The service derives the key
-- with a secret that the database does not have (server/conversations/return-codes.ts); with another secret it is another
-- key, and the older one stays valid. Apart from the conversation, because neither the owner nor an export may have it.
create table internal.return_keys (
  key_hash bytea primary key,
  conversation_id uuid not null references public.conversations on delete cascade,
  created_at timestamptz not null default now()
);
create index return_keys_conversation on internal.return_keys (conversation_id, created_at desc);
alter table internal.return_keys enable row level security;
alter table internal.return_keys force row level security;
grant select, insert, update, delete on internal.return_keys to service_role;

-- The conversation about an item that a finder's key opens: the key of the browser that wrote first, or the return key.
create function internal.conversation_of_key(item_id_param uuid, finder_key_param text) returns uuid
  language sql stable
  set search_path = ''
  as $$
    select conversation.id
      from public.conversations as conversation
      where conversation.finder_key_hash = sha256(convert_to(finder_key_param, 'UTF8'))
        and conversation.item_id = item_id_param
    union all
    select conversation.id
      from internal.return_keys as return_key
      join public.conversations as conversation on conversation.id = return_key.conversation_id
      where return_key.key_hash = sha256(convert_to(finder_key_param, 'UTF8'))
        and conversation.item_id = item_id_param
    limit 1
  $$;

-- As before, and for the return key. To the holder of a key it also names the conversation, and the hash of its return
-- key in hexadecimal, which is null until the return code was shown: the service derives the code from the one and
-- compares the other.
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

-- Stores the hashes of derived keys. Two conversations about an item can have the same code (1 in 2^40); the first one
-- keeps it.
create function internal.set_return_keys(conversation_ids uuid[], key_hashes bytea[]) returns void
  language sql
  set search_path = ''
  as $$
    insert into internal.return_keys (conversation_id, key_hash)
      select derived.conversation_id, derived.key_hash
        from unnest(conversation_ids, key_hashes) as derived (conversation_id, key_hash)
        join public.conversations as conversation on conversation.id = derived.conversation_id
      on conflict do nothing
  $$;

-- The latest conversations about an item of the caller's, newest first, with the tag code of the item. The service
-- responds with the return code of each in place of the tag code.
create function public.list_return_codes(item_id_param uuid) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(jsonb_build_object('conversation_id', latest.id, 'qr_id', latest.qr_id)), '[]')
      from (
        select conversation.id, item.qr_id
          from public.conversations as conversation
          join public.items as item on item.id = conversation.item_id
          where conversation.item_id = item_id_param
          order by conversation.created_at desc
          limit 200
      ) as latest
  $$;

-- As before, and for the return key.
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
  select id into conversation from public.conversations
    where id = internal.conversation_of_key(item.id, finder_key_param) for key share;
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

grant create on schema public, internal to service_role;
alter function internal.conversation_of_key(uuid, text) owner to service_role;
alter function internal.set_return_keys(uuid[], bytea[]) owner to service_role;
alter function public.list_return_codes(uuid) owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function internal.conversation_of_key(uuid, text) to service_role;
grant execute on function internal.set_return_keys(uuid[], bytea[]) to service_role;
grant execute on function public.list_return_codes(uuid) to authenticated, service_role;

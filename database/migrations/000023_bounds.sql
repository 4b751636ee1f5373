-- kind: compatible
-- How many items an account and how many messages an item may have.

-- The server says how many items; without its word it is 1000. The service itself and operators have no quota.
create function internal.hold_items_quota() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most integer := coalesce(nullif(current_setting('reunite.account_items', true), ''), '1000');
  owner uuid;
begin
  if auth.uid() is null then
    return null;
  end if;
  for owner in select distinct user_id from added order by user_id loop
    -- Of two inserts at once the second must see the first.
    perform pg_advisory_xact_lock(hashtextextended('items of ' || owner, 0));
    if exists (select from public.items where user_id = owner order by created_at desc offset most limit 1) then
      raise exception 'The account has no room left for another item' using errcode = 'PT413';
    end if;
  end loop;
  return null;
end
$$;

create trigger items_hold_quota after insert on public.items referencing new table as added
  for each statement execute function internal.hold_items_quota();

-- As before, and with a bound to what one item keeps: far beyond what the pace of each address lets in within a day.
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
  most_messages constant integer := 50000;
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
  elsif exists (
    select from public.messages where item_id = item.id order by created_at desc offset most_messages limit 1
  ) then
    raise exception 'This item keeps no more messages' using errcode = 'PT429';
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

grant create on schema internal to service_role;
alter function internal.hold_items_quota() owner to service_role;
revoke create on schema internal from service_role;

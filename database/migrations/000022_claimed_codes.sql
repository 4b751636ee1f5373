-- kind: compatible
-- A code that is claimed and has no item yet leads a finder to its owner.

-- Makes the item of such a code when a finder first needs one: what a finder writes and does belongs to an item. Returns
-- whether the code has one then; false for a code that is not claimed.
create function internal.tag_claimed_code(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.items (qr_id, user_id, item_type, item_name)
    select qr_id, owner_id, 'other', 'My Tagged Item'
      from public.qr_codes
      where qr_id = qr_id_param and owner_id is not null;
  return found;
exception when unique_violation then
  -- Somebody tagged it in the same moment.
  return true;
end
$$;

-- As before; a claimed code without an item shows its owner, and nothing that an item of theirs would not show.
create or replace function public.find_item(qr_id_param text) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  found_item jsonb;
begin
  select jsonb_build_object(
      'item_type', item.item_type,
      'item_name', item.item_name,
      'photo', '/storage/v1/object/public/item-photos/' || item.photo,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', item.note_to_finders,
      'lost', item.lost_at is not null,
      'channels', jsonb_build_object(
        'whatsapp', owner.phone is not null and coalesce(item.whatsapp_enabled, owner.whatsapp_enabled),
        'call', owner.phone is not null and coalesce(item.call_enabled, owner.call_enabled),
        'email', owner.email is not null and coalesce(item.email_enabled, owner.email_enabled),
        'message', coalesce(item.message_enabled, owner.message_enabled, true)
      )
    )
    into found_item
    from public.items as item
    left join public.profiles as owner on owner.id = item.user_id
    where item.qr_id = qr_id_param;
  if found_item is not null then
    return found_item;
  end if;

  -- Claimed, and nothing is tagged with it yet: the shape of the item that its owner would get.
  select jsonb_build_object(
      'item_type', 'other',
      'item_name', 'My Tagged Item',
      'photo', null,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', null,
      'lost', false,
      'channels', jsonb_build_object(
        'whatsapp', owner.phone is not null and owner.whatsapp_enabled,
        'call', owner.phone is not null and owner.call_enabled,
        'email', owner.email is not null and owner.email_enabled,
        'message', coalesce(owner.message_enabled, true)
      )
    )
    into found_item
    from public.qr_codes as code
    left join public.profiles as owner on owner.id = code.owner_id
    where code.qr_id = qr_id_param and code.owner_id is not null;
  return found_item;
end
$$;

-- As before, for a claimed code without an item as well.
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

-- As before, for a claimed code without an item as well.
create or replace function internal.open_channel(qr_id_param text, channel_param text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  owner public.profiles;
  address text;
begin
  select * into item from public.items where qr_id = qr_id_param;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = qr_id_param;
  end if;
  select * into owner from public.profiles where id = item.user_id;
  address := case channel_param
    when 'whatsapp' then case when coalesce(item.whatsapp_enabled, owner.whatsapp_enabled) then owner.phone end
    when 'call' then case when coalesce(item.call_enabled, owner.call_enabled) then owner.phone end
    when 'email' then case when coalesce(item.email_enabled, owner.email_enabled) then owner.email end
  end;
  if address is not null then
    insert into public.channel_openings (item_id, owner_id, channel) values (item.id, item.user_id, channel_param);
  end if;
  return address;
end
$$;

-- As before, and for the codes that an account claimed.
create or replace function internal.announce_item_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_table_name in ('items', 'qr_codes') then
    perform pg_notify('item_changed', coalesce(new.qr_id, old.qr_id));
  else
    -- The codes of an account that is being deleted may have lost their owner already, and its items are still there.
    perform pg_notify('item_changed', qr_id) from (
      select qr_id from public.items where user_id = coalesce(new.id, old.id)
      union
      select qr_id from public.qr_codes where owner_id = coalesce(new.id, old.id)
    ) as shown;
  end if;
  return null;
end
$$;

create trigger qr_codes_announce after update of owner_id on public.qr_codes
  for each row when (old.owner_id is not null and new.owner_id is distinct from old.owner_id)
  execute function internal.announce_item_change();

-- As before, for the owner of any claimed code.
create or replace function internal.repair_profile_of_owner(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.profiles (id, full_name, email, phone)
    select
        account.id,
        left(nullif(btrim(account.raw_user_meta_data ->> 'full_name'), ''), 200),
        account.email,
        substring(account.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
      from public.qr_codes as code
      join auth.users as account on account.id = code.owner_id
      where code.qr_id = qr_id_param
    on conflict (id) do nothing;
  return found;
end
$$;

grant create on schema internal to service_role;
alter function internal.tag_claimed_code(text) owner to service_role;
revoke create on schema internal from service_role;
grant execute on function internal.tag_claimed_code(text) to service_role;

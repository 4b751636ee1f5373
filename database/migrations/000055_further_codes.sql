-- kind: compatible
-- An item may have several stickers (docs/decisions/0073-several-stickers.md): its own code in items.qr_id, and further codes
-- that stand for it.

alter table public.qr_codes
  add column stands_for text references public.qr_codes (qr_id) on delete set null,
  add constraint qr_codes_stands_for_another check (stands_for <> qr_id);
comment on column public.qr_codes.stands_for is 'For a further code of an item: the item''s own code. Null for that code.';
create index qr_codes_stands_for on public.qr_codes (stands_for);

-- The code under which an item is stored, for any code of it. A code without an item is returned as it is.
create function internal.own_code_of_item(qr_id_param text) returns text
  language sql stable
  set search_path = ''
  as $$ select coalesce((select stands_for from public.qr_codes where qr_id = qr_id_param), qr_id_param) $$;

-- A further code stands for the own code of an item of the same owner, and is no item's own. A code without an owner stands
-- for nothing.
create function internal.check_further_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if new.owner_id is null then
    new.stands_for := null;
    return new;
  end if;
  -- Held, so that the item cannot be deleted or get another own code meanwhile.
  perform from public.items where qr_id = new.stands_for and user_id = new.owner_id for key share;
  if not found or exists (select from public.items where qr_id = new.qr_id) then
    raise exception 'A further code stands for the code of an item of its owner' using errcode = '23514';
  end if;
  return new;
end
$$;
create trigger qr_codes_check_further before insert or update of stands_for, owner_id on public.qr_codes for each row
  when (new.stands_for is not null)
  execute function internal.check_further_code();

create function internal.refuse_further_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if exists (select from public.qr_codes where qr_id = new.qr_id and stands_for is not null) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$$;
create trigger items_refuse_further_code before update of qr_id on public.items for each row
  execute function internal.refuse_further_code();

-- As before, and not with a further code of another item.
create or replace function internal.claim_code_of_new_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  -- The policy of the table, which is asked after this trigger, refuses the row. Whether there is such an account, or
  -- such a code, must not matter before that.
  if auth.role() = 'authenticated' and new.user_id is distinct from auth.uid() then
    return new;
  end if;
  -- The row lock that claiming takes must come before the look for an item: two taggers then meet here, one after the other.
  begin
    perform internal.claim_code(new.qr_id, new.user_id);
  exception when unique_violation then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end;
  if exists (select from public.items where qr_id = internal.own_code_of_item(new.qr_id)) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  return new;
end
$$;

-- Takes the codes from their owner. Those that the service issued are free, and it forgets the others.
create function internal.free_codes(qr_ids text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  update public.qr_codes set owner_id = null, claimed_at = null, stands_for = null where qr_id = any (qr_ids);
  delete from public.qr_codes where qr_id = any (qr_ids) and issued_at is null;
end
$$;

-- As before, with all codes of the item.
create or replace function internal.free_code_of_deleted_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  perform internal.free_codes(array(select qr_id from public.qr_codes where stands_for = old.qr_id) || old.qr_id);
  return null;
end
$$;

-- As before, with all codes of a changed item. They fit into one payload: an item has twenty codes at most.
create or replace function internal.announce_item_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_table_name = 'items' then
    perform pg_notify('item_changed', concat_ws(' ', old.qr_id, nullif(new.qr_id, old.qr_id), (
      select string_agg(qr_id, ' ') from public.qr_codes where stands_for in (old.qr_id, new.qr_id)
    )));
  elsif tg_table_name = 'qr_codes' then
    perform pg_notify('item_changed', new.qr_id);
  else
    -- The codes of an account that is being deleted may have lost their owner already, and its items are still there.
    -- A hundred codes have 6,499 characters at most, and a payload 7,999.
    perform pg_notify('item_changed', string_agg(qr_id, ' ')) from (
      select qr_id, (row_number() over () - 1) / 100 as payload from (
        select qr_id from public.items where user_id = coalesce(new.id, old.id)
        union
        select qr_id from public.qr_codes where owner_id = coalesce(new.id, old.id)
      ) as code
    ) as shown group by payload;
  end if;
  return null;
end
$$;
drop trigger qr_codes_announce on public.qr_codes;
create trigger qr_codes_announce after update of owner_id, stands_for on public.qr_codes for each row
  when (
    old.owner_id is not null and new.owner_id is distinct from old.owner_id or new.stands_for is distinct from old.stands_for
  )
  execute function internal.announce_item_change();

-- Puts a sticker on an item of the caller's that has one already: claims its code, which leads to the item from then on.
-- Repeating it changes nothing.
create function public.attach_qr_code(qr_id_param text, item_id_param uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  most_codes constant integer := 20;
  item public.items;
begin
  -- Of two stickers at once the second must see the first.
  select * into item from public.items
    where id = item_id_param and user_id = (select auth.uid()) for no key update;
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  -- Takes the row lock of the code, which a tagger at the same time waits for.
  perform public.register_qr_code(qr_id_param, item.user_id);
  if internal.own_code_of_item(qr_id_param) = item.qr_id then
    return;
  end if;
  if exists (select from public.items where qr_id = internal.own_code_of_item(qr_id_param)) then
    raise exception 'This QR code is already tagged to an item' using errcode = '23505';
  end if;
  update public.qr_codes set stands_for = item.qr_id where qr_id = qr_id_param;
  if exists (select from public.qr_codes where stands_for = item.qr_id offset most_codes - 1 limit 1) then
    raise exception 'The item has no room left for another sticker' using errcode = 'PT409';
  end if;
end
$$;

-- Takes a sticker from an item of the caller's: its code is free. Without the item's own code, the item gets the further code
-- that it has had for the longest time. The last sticker stays until the item is deleted.
create function public.detach_qr_code(qr_id_param text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  further_codes text[];
begin
  select * into item from public.items
    where id = (select id from public.items where qr_id = internal.own_code_of_item(qr_id_param))
      and user_id = (select auth.uid())
    for update;
  -- Asked again, because another call may have changed the item's codes before this one had the lock.
  if not found or internal.own_code_of_item(qr_id_param) <> item.qr_id then
    raise exception 'No item of yours has this code' using errcode = 'PT404';
  end if;
  if item.qr_id = qr_id_param then
    further_codes := array(select qr_id from public.qr_codes where stands_for = item.qr_id order by claimed_at, qr_id);
    if further_codes = '{}' then
      raise exception 'An item keeps its only code' using errcode = 'PT409';
    end if;
    update public.qr_codes set stands_for = null where qr_id = any (further_codes);
    update public.items set qr_id = further_codes[1] where id = item.id;
    update public.qr_codes set stands_for = further_codes[1] where qr_id = any (further_codes[2:]);
  end if;
  perform internal.free_codes(array[qr_id_param]);
end
$$;

-- As before, for each code of an item.
create or replace function public.find_item(qr_id_param text) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  found_item jsonb;
  item_code text := qr_id_param;
begin
  -- First as an item's own code, then as a further one: most scans take one look-up.
  for look_up in 1..2 loop
    select jsonb_build_object(
        'item_type', item.item_type,
        'item_name', item.item_name,
        'photo', '/storage/v1/object/public/item-photos/' || item.photo,
        'owner_first_name', internal.first_name(owner.full_name),
        'note_to_finders', item.note_to_finders,
        'reward', item.reward,
        'lost', item.lost_at is not null,
        'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
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
      where item.qr_id = item_code;
    if found_item is not null then
      return found_item;
    end if;
    select stands_for into item_code from public.qr_codes where qr_id = qr_id_param;
    exit when item_code is null;
  end loop;

  -- Claimed, and nothing is tagged with it yet: the shape of the item that its owner would get.
  select jsonb_build_object(
      'item_type', 'other',
      'item_name', 'My Tagged Item',
      'photo', null,
      'owner_first_name', internal.first_name(owner.full_name),
      'note_to_finders', null,
      'reward', null,
      'lost', false,
      'has_contact_details', owner.id is null or owner.phone is not null or owner.email is not null,
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

create or replace function public.send_message(
  qr_id_param text, body_param text, message_id_param uuid default gen_random_uuid(), finder_key_param text default null
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
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
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

create or replace function internal.open_channel(qr_id_param text, channel_param text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  owner public.profiles;
  address text;
begin
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param);
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param);
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

-- As before, for each code of an item, and with the item's own: return codes are derived from it.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'qr_id', opened.qr_id,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'returned', (select returned_at is not null from public.conversations where id = opened.id),
        'progress', internal.progress_of_conversation(opened.id),
        'messages', messages.shown
      )
      from (
        select internal.conversation_of_key(item.id, finder_key_param) as id, item.qr_id
          from public.items as item where item.qr_id = internal.own_code_of_item(qr_id_param)
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

grant create on schema public, internal to service_role;
alter function public.attach_qr_code(text, uuid) owner to service_role;
alter function public.detach_qr_code(text) owner to service_role;
alter function internal.check_further_code() owner to service_role;
alter function internal.refuse_further_code() owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function public.attach_qr_code(text, uuid), public.detach_qr_code(text) to authenticated;
grant execute on function internal.own_code_of_item(text), internal.free_codes(text[]) to service_role;

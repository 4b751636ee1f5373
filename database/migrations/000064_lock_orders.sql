-- kind: compatible
-- Locks are taken in one order everywhere: items before codes, and the rows of a table by their id.

-- As before, but where neither the item nor the owner changes, nothing is looked at: claiming the code again, which locks it
-- first, does not wait for the item.
create or replace function internal.check_further_code() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'UPDATE' and new.owner_id is not distinct from old.owner_id and new.stands_for is not distinct from old.stands_for then
    return new;
  end if;
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

-- As before, with the conversations in the order of confirm_delivery, which another screen of the owner may call.
create or replace function public.take_back_item(item_id_param uuid, conversation_id_param uuid default null) returns void
  language plpgsql
  set search_path = ''
  as $$
begin
  perform from public.items where id = item_id_param and user_id = (select auth.uid());
  if not found then
    raise exception 'No item of yours has this id' using errcode = 'PT404';
  end if;
  perform from public.conversations where id = conversation_id_param and item_id = item_id_param;
  if conversation_id_param is not null and not found then
    raise exception 'No conversation about this item has this id' using errcode = 'PT404';
  end if;
  update public.items set lost_at = null where id = item_id_param and lost_at is not null;
  perform from public.conversations
    where item_id = item_id_param and coalesce(id = conversation_id_param, true) and returned_at is null
    order by id for no key update;
  update public.conversations set returned_at = now()
    where item_id = item_id_param and coalesce(id = conversation_id_param, true) and returned_at is null;
end
$$;

-- As before, with the items in the order of their ids, and new ones in the order of their codes.
create or replace function public.save_items(items_param jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  most_items constant integer := 2000;
  caller uuid := (select auth.uid());
begin
  if jsonb_typeof(items_param) is distinct from 'array' then
    raise exception 'The items are a list' using errcode = '22023';
  end if;
  if jsonb_array_length(items_param) > most_items then
    raise exception 'At most % items are saved at once', most_items using errcode = '22023';
  end if;
  if exists (select from jsonb_array_elements(items_param) as given where jsonb_typeof(given) <> 'object') then
    raise exception 'Each item is an object' using errcode = '22023';
  end if;
  perform from public.items
    where user_id = caller and qr_id in (select given ->> 'qr_id' from jsonb_array_elements(items_param) as given)
    order by id for no key update;
  update public.items as item set
      item_type = case when given ? 'item_type' then given ->> 'item_type' else item.item_type end,
      item_name = case when given ? 'item_name' then given ->> 'item_name' else item.item_name end,
      description = case when given ? 'description' then given ->> 'description' else item.description end,
      note_to_finders = case when given ? 'note_to_finders' then given ->> 'note_to_finders' else item.note_to_finders end,
      reward = case when given ? 'reward' then given ->> 'reward' else item.reward end
    from jsonb_array_elements(items_param) as given
    where item.qr_id = given ->> 'qr_id' and item.user_id = caller;
  insert into public.items (qr_id, user_id, item_type, item_name, description, note_to_finders, reward)
    select given ->> 'qr_id', caller, given ->> 'item_type', given ->> 'item_name', given ->> 'description',
        given ->> 'note_to_finders', given ->> 'reward'
      from jsonb_array_elements(items_param) as given
      where not exists (select from public.items as own where own.qr_id = given ->> 'qr_id' and own.user_id = caller)
      order by given ->> 'qr_id';
end
$$;

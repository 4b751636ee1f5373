-- Moves an item with all of its codes and its photo to another account, and returns the id of the new owner's item. The
-- old row stays as the former owner's record: conversations and contact openings belong to it, their finders' keys end,
-- and the addresses of the item's finders are deleted. The caller holds the row of the item for update.
create or replace function internal.move_item(item_id_param uuid, new_owner uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $$
declare
  item public.items;
  code text;
  further_codes text[];
  void_codes text[];
  moved_id uuid;
  ended_keys bytea[];
begin
  select * into item from public.items where id = item_id_param;
  code := item.qr_id;
  further_codes := array(select qr_id from public.qr_codes where stands_for = code);
  -- In one order, and held against an operator who voids them in this moment.
  perform from public.qr_codes where qr_id = any (further_codes || code) order by qr_id for no key update;
  if internal.is_void(code) then
    raise exception 'The code of this item is void' using errcode = 'PT423';
  end if;

  -- Whoever has a key writes to the new owner from now on. What the former owner blocked stays blocked for them.
  perform from public.conversations where item_id = item.id order by id for no key update;
  insert into internal.blocked_keys (owner_id, key_hash)
    select conversation.owner_id, known.key_hash
      from public.conversations as conversation
      cross join lateral (
        select conversation.finder_key_hash as key_hash where conversation.finder_key_hash is not null
        union
        select key_hash from internal.return_keys where conversation_id = conversation.id
      ) as known
      where conversation.item_id = item.id and conversation.blocked_at is not null
    on conflict do nothing;
  ended_keys := array(
    select conversation.finder_key_hash from public.conversations as conversation
      where conversation.item_id = item.id and conversation.finder_key_hash is not null
    union
    select return_key.key_hash from internal.return_keys as return_key
      join public.conversations as conversation on conversation.id = return_key.conversation_id
      where conversation.item_id = item.id
    union
    select key_hash from internal.moved_keys where item_id = item.id
  );
  delete from internal.return_keys as return_key
    using public.conversations as conversation
    where conversation.item_id = item.id and return_key.conversation_id = conversation.id;
  update public.conversations set finder_key_hash = null where item_id = item.id and finder_key_hash is not null;
  -- Its finders open these conversations no more, so no email leads there.
  delete from internal.finder_addresses as kept
    using public.conversations as conversation
    where conversation.item_id = item.id and kept.conversation_id = conversation.id;

  -- The item first, then its codes: a further code stands for the code of an item of its owner.
  update public.items
    set qr_id = null, given_at = now(), photo = null, lost_at = null, description = null, note_to_finders = null, reward = null
    where id = item.id;
  update storage.objects set owner = new_owner, owner_id = new_owner::text
    where bucket_id = 'item-photos' and name = item.photo;
  update public.qr_codes set owner_id = new_owner where qr_id = code;
  insert into public.items (qr_id, user_id, item_type, item_name, description, photo)
    values (code, new_owner, item.item_type, item.item_name, item.description, item.photo)
    returning id into moved_id;
  -- Their holders learn that the item has a new owner.
  delete from internal.moved_keys where item_id = item.id;
  insert into internal.moved_keys (item_id, key_hash) select moved_id, unnest(ended_keys);
  update public.qr_codes set owner_id = new_owner where qr_id = any (further_codes);
  -- Whoever gets the item learns which of its stickers do not work; the former owner may not have been told in time.
  void_codes := array(select qr_id from public.qr_codes where qr_id = any (further_codes) and voided_at is not null);
  if cardinality(void_codes) > 0 then
    perform internal.enqueue_void_mail(new_owner, void_codes);
  end if;
  return moved_id;
end
$$;

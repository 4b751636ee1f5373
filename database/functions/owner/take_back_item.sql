-- The caller has the item back. With a conversation, it was this finder; without one, every conversation about the item
-- ends. Repeating it changes nothing. Conversations are locked in the same order as in confirm_delivery, which another
-- screen of the owner may call.
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

grant execute on function public.take_back_item(uuid, uuid) to authenticated, service_role;

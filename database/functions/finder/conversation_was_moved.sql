-- Whether a finder's key opened a conversation about the item with this code that ended when the item was given away.
create or replace function internal.conversation_was_moved(qr_id_param text, finder_key_param text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.items as item
        join internal.moved_keys as moved on moved.item_id = item.id
        where item.qr_id = internal.own_code_of_item(qr_id_param)
          and moved.key_hash = sha256(convert_to(finder_key_param, 'UTF8'))
    )
  $$;

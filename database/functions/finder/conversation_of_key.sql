-- The conversation about an item that a finder's key opens: the key of the browser that wrote first, or the return key.
create or replace function internal.conversation_of_key(item_id_param uuid, finder_key_param text) returns uuid
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

alter function internal.conversation_of_key(uuid, text) owner to service_role;

-- Stores a reply in the conversation of the link. Repeating it changes nothing more. Returns whether it is there.
create or replace function internal.reply_as_contact(token_hash_param bytea, body_param text, message_id_param uuid) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  trimmed text := internal.trim_message(body_param);
  link internal.contact_links;
  conversation public.conversations;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  select * into link from internal.contact_links where token_hash = token_hash_param;
  select * into conversation from public.conversations where id = link.conversation_id;
  -- Held until the reply is in, in the order of accept_offer and of deletions: account, item, conversation. The conversation
  -- is held against a block, and so that of two replies the second waits before it notes that there is one.
  perform from auth.users where id = conversation.owner_id and deleted_at is null for key share;
  if not found then
    return false;
  end if;
  perform from public.items where id = conversation.item_id and given_at is null for key share;
  if not found then
    return false;
  end if;
  select * into conversation from public.conversations
    where id = link.conversation_id and blocked_at is null and returned_at is null for no key update;
  if not found then
    return false;
  end if;
  perform from public.second_contacts
    where id = link.contact_id and owner_id = conversation.owner_id and agreed_at is not null and left_at is null for share;
  if not found then
    return false;
  end if;
  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body, by_contact)
    values (message_id_param, conversation.id, conversation.item_id, conversation.owner_id, 'owner', trimmed, true)
    on conflict (id) do nothing;
  return exists (
    select from public.messages
      where id = message_id_param and conversation_id = conversation.id and by_contact and body = trimmed
  );
end
$$;

grant execute on function internal.reply_as_contact(bytea, text, uuid) to service_role;

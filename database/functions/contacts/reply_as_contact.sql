drop function if exists internal.reply_as_contact(bytea, text, uuid);
-- Stores a reply in the conversation of the link. Repeating it changes nothing more. Returns whether it is there.
create or replace function internal.reply_as_contact(
  token_hash_param bytea, body_param text, message_id_param uuid, kind_param text default 'text',
  place_param text default null, moment_param timestamptz default null, time_zone_param text default null,
  language_param text default null
) returns boolean
  language plpgsql
  set search_path = ''
  as $$
declare
  trimmed text := coalesce(internal.trim_message(body_param), '');
  where_it_is text := internal.clean_place(place_param);
  link internal.contact_links;
  conversation public.conversations;
begin
  if char_length(trimmed) > 250 or (trimmed = '' and kind_param = 'text') then
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
  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body, by_contact, kind, place, moment,
      time_zone, language)
    values (message_id_param, conversation.id, conversation.item_id, conversation.owner_id, 'owner', trimmed, true,
      kind_param, where_it_is, moment_param, time_zone_param, language_param)
    on conflict (id) do nothing;
  return exists (
    select from public.messages
      where id = message_id_param and conversation_id = conversation.id and by_contact and body = trimmed
        and (kind, place, moment) is not distinct from (kind_param, where_it_is, moment_param)
  );
end
$$;

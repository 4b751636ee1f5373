-- The owner's reply in a conversation of their own. Sent again with the same message id it is the same message, so that
-- an owner on a bad connection can retry. Returns {"message_id", "sent_at"}. Errors: PT404 no such conversation of the
-- caller's, or one about an item that was given away, 22023 empty or over 250 code points when trimmed, 23505 the id is
-- taken.
create or replace function public.send_reply(conversation_id_param uuid, body_param text, message_id_param uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  trimmed text := internal.trim_message(body_param);
  conversation public.conversations;
  message public.messages;
begin
  if trimmed is null or char_length(trimmed) not between 1 and 250 then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;

  -- Held against deletion until the answer is in.
  select * into conversation from public.conversations
    where id = conversation_id_param and owner_id = (select auth.uid()) for key share;
  if not found then
    raise exception 'No conversation of yours has this id' using errcode = 'PT404';
  end if;
  -- Held, so that the item is not given away meanwhile. A reply that is stored already is confirmed below.
  perform from public.items where id = conversation.item_id and given_at is null for key share;
  if not found and not exists (select from public.messages where id = message_id_param) then
    raise exception 'The item belongs to another account now' using errcode = 'PT409';
  end if;

  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body)
    values (
      coalesce(message_id_param, internal.time_ordered_id()), conversation.id, conversation.item_id, conversation.owner_id,
      'owner', trimmed
    )
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if message.conversation_id is distinct from conversation.id or message.body is distinct from trimmed
        or message.sender <> 'owner' then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

alter function public.send_reply(uuid, text, uuid) owner to service_role;
grant execute on function public.send_reply(uuid, text, uuid) to authenticated;

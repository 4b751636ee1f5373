drop function if exists public.send_reply(uuid, text, uuid);
-- The owner's reply in a conversation of their own. Sent again with the same message id it is the same message, so that
-- an owner on a bad connection can retry. Returns {"message_id", "sent_at"}. Errors: PT404 no such conversation of the
-- caller's, or one about an item that was given away, 22023 empty or over 250 code points when trimmed, 23505 the id is
-- taken, 23514 a kind that owners do not have, or fields that it lacks or does not have.
create or replace function public.send_reply(conversation_id_param uuid, body_param text, message_id_param uuid DEFAULT NULL::uuid, kind_param text DEFAULT 'text'::text, place_param text DEFAULT NULL::text, moment_param timestamptz DEFAULT NULL::timestamptz, time_zone_param text DEFAULT NULL::text, amount_param numeric DEFAULT NULL::numeric, currency_param text DEFAULT NULL::text, language_param text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  kind_of text := coalesce(kind_param, 'text');
  trimmed text := coalesce(internal.trim_message(body_param), '');
  where_it_is text := internal.clean_place(place_param);
  conversation public.conversations;
  message public.messages;
begin
  if char_length(trimmed) > 250 or (trimmed = '' and kind_of = 'text') then
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

  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body, kind, place, moment, time_zone,
      amount, currency, language)
    values (
      coalesce(message_id_param, internal.time_ordered_id()), conversation.id, conversation.item_id, conversation.owner_id,
      'owner', trimmed, kind_of, where_it_is, moment_param, time_zone_param, amount_param, currency_param, language_param
    )
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if (message.conversation_id, message.sender, message.body, message.kind, message.place, message.moment, message.amount)
        is distinct from
        (conversation.id, 'owner', trimmed, kind_of, where_it_is, moment_param, round(amount_param, 2)) then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

grant execute on function public.send_reply(uuid, text, uuid, text, text, timestamptz, text, numeric, text, text) to authenticated;

drop function if exists public.send_message(text, text, uuid, text, text, text, double precision, double precision, boolean);
-- A finder's message. Sent again with the same message id it is the same message, so that a finder on a bad connection
-- can retry. Returns {"message_id", "sent_at"}. Errors: PT404 no such item or a void code, PT403 messages are switched
-- off or the finder is blocked, 22023 empty or over 250 code points when trimmed, 23505 the id is taken,
-- 23514 fields that its kind lacks or does not have. A desk is a kind of desk, or the id of one of the operator's, whose
-- name and place are the message's. The triggers that refuse blocked finders hold for any other path.
create or replace function public.send_message(qr_id_param text, body_param text, message_id_param uuid DEFAULT NULL::uuid, finder_key_param text DEFAULT NULL::text, kind_param text DEFAULT 'text'::text, place_param text DEFAULT NULL::text, latitude_param double precision DEFAULT NULL::double precision, longitude_param double precision DEFAULT NULL::double precision, exact_param boolean DEFAULT false, moment_param timestamptz DEFAULT NULL::timestamptz, time_zone_param text DEFAULT NULL::text, desk_param text DEFAULT NULL::text, language_param text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $$
declare
  item public.items;
  kind_of text := coalesce(kind_param, 'text');
  trimmed text := coalesce(internal.trim_message(body_param), '');
  where_it_is text := internal.clean_place(place_param);
  has_location boolean := latitude_param is not null and longitude_param is not null;
  -- About a kilometer, or a meter.
  digits integer := case when exact_param then 5 else 2 end;
  finder_hash bytea := sha256(convert_to(finder_key_param, 'UTF8'));
  desk_of text := desk_param;
  named_desk uuid;
  conversation uuid;
  is_blocked boolean;
  message public.messages;
begin
  if kind_of not in ('text', 'have_it', 'left_it', 'saw_it', 'photo', 'can_bring', 'here_until', 'handed_in', 'can_post',
      'yes', 'no', 'thanks') then
    raise exception 'No message has this kind' using errcode = '22023';
  end if;
  if char_length(trimmed) > 250 or (trimmed = '' and kind_of = 'text') then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  if kind_of = 'handed_in' and desk_param ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    -- Of an unknown one, the message still arrives.
    desk_of := 'desk';
    select id, name || ', ' || place into named_desk, where_it_is from public.desks where id = desk_param::uuid;
  end if;
  if named_desk is null and char_length(where_it_is) > 100 then
    raise exception 'A place has at most 100 characters' using errcode = '22023';
  end if;
  if (latitude_param is null) <> (longitude_param is null)
      or latitude_param not between -90 and 90 or longitude_param not between -180 and 180 then
    raise exception 'The location is none on Earth' using errcode = '22023';
  end if;
  if char_length(finder_key_param) not between 20 and 100 then
    raise exception 'The finder''s key is not one of ours' using errcode = '22023';
  end if;

  perform internal.require_look_up(qr_id_param);
  -- Held against deletion until the message is in.
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  end if;
  if item.id is null or internal.is_void(qr_id_param) then
    perform internal.note_look_up('miss', qr_id_param);
    raise exception 'No item has this code' using errcode = 'PT404';
  end if;
  if not coalesce(item.message_enabled, (select message_enabled from public.profiles where id = item.user_id), true) then
    raise exception 'The owner takes no messages for this item' using errcode = 'PT403';
  end if;

  -- Held against deletion as well, and against an owner who ends or blocks it in this moment: each sees what the other did.
  select id, blocked_at is not null into conversation, is_blocked from public.conversations
    where id = internal.conversation_of_key(item.id, finder_key_param) for no key update;
  if conversation is null then
    is_blocked := exists (
      select from internal.blocked_keys as blocked where blocked.owner_id = item.user_id and blocked.key_hash = finder_hash
    );
  end if;
  -- Before anything is written, so that an attempt costs little. A message that is stored already is confirmed below.
  if is_blocked and not exists (select from public.messages where id = message_id_param) then
    raise exception 'The owner takes no more messages from this finder' using errcode = 'PT423';
  end if;
  -- The length of keys that return codes stand for. Ours of new conversations have 32 characters.
  if conversation is null and char_length(finder_key_param) = 43 and not exists (
    select from public.messages where id = message_id_param
  ) then
    raise exception 'The conversation of this finder''s key has ended, or never was' using errcode = 'PT410',
      hint = 'A key of 43 characters is that of a return code, and begins no conversation. Choose another length.';
  end if;
  if conversation is null then
    insert into public.conversations (item_id, owner_id, finder_key_hash)
      values (item.id, item.user_id, finder_hash)
      on conflict (finder_key_hash) do nothing
      returning id into conversation;
    if conversation is null then
      -- The same browser sent twice at once; the other one has made it by now.
      select id into conversation from public.conversations
        where finder_key_hash = finder_hash and item_id = item.id for no key update;
    end if;
    if conversation is null then
      raise exception 'The finder''s key belongs to another conversation' using errcode = '23505';
    end if;
  end if;

  insert into public.messages (
      id, conversation_id, item_id, owner_id, sender, body, kind, place, latitude, longitude, location_exact,
      moment, time_zone, desk, language, desk_id
    )
    values (
      coalesce(message_id_param, internal.time_ordered_id()), conversation, item.id, item.user_id, 'finder', trimmed, kind_of,
      where_it_is, round(latitude_param::numeric, digits), round(longitude_param::numeric, digits),
      case when has_location then coalesce(exact_param, false) end, moment_param, time_zone_param, desk_of, language_param,
      named_desk
    )
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    -- The desk may have been renamed meanwhile.
    if message.desk_id = named_desk then
      where_it_is := message.place;
    end if;
    if (message.item_id, message.sender, message.kind, message.body, message.place, message.moment, message.desk)
        is distinct from (item.id, 'finder', kind_of, trimmed, where_it_is, moment_param, desk_of) then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
    -- What this call made for a message that was already there must not stay behind as an empty conversation.
    delete from public.conversations
      where id = conversation and not exists (select from public.messages where conversation_id = conversation);
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

grant execute on function public.send_message(text, text, uuid, text, text, text, double precision, double precision, boolean, timestamptz, text, text, text) to anon, authenticated;

-- kind: compatible
-- A finder's message can be one tap ("I have it", "I left it at …", "I saw it here"), with or without text, and can name a
-- place. It is stored as a kind with fields, so that each side reads it in its own language.

alter table public.messages
  add column kind text not null default 'text'
    constraint messages_kind_check check (kind in ('text', 'have_it', 'left_it', 'saw_it')),
  add column place text constraint messages_place_check check (char_length(place) between 1 and 100),
  add column latitude numeric(7, 5) constraint messages_latitude_check check (latitude between -90 and 90),
  add column longitude numeric(8, 5) constraint messages_longitude_check check (longitude between -180 and 180),
  add column location_exact boolean,
  drop constraint messages_body_check,
  add constraint messages_body_check
    check (char_length(body) between (case when kind = 'text' then 1 else 0 end) and 250),
  add constraint messages_location_check check (num_nulls(latitude, longitude, location_exact) in (0, 3)),
  add constraint messages_of_owners_check
    check (sender = 'finder' or (kind = 'text' and place is null and latitude is null));
comment on column public.messages.location_exact is 'False where the location is rounded to a hundredth of a degree, about a kilometer.';

-- The place as it is stored: one line.
create function internal.clean_place(typed text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select nullif(regexp_replace(internal.trim_message(typed), '[\u0009\u000A\u0085\u2028\u2029]+', ' ', 'g'), '')
  $$;

-- As before, and with a kind, a place, and a location.
drop function public.send_message(text, text, uuid, text);
create function public.send_message(
  qr_id_param text,
  body_param text,
  message_id_param uuid default gen_random_uuid(),
  finder_key_param text default null,
  kind_param text default 'text',
  place_param text default null,
  latitude_param double precision default null,
  longitude_param double precision default null,
  exact_param boolean default false
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  item public.items;
  kind_of text := coalesce(kind_param, 'text');
  trimmed text := coalesce(internal.trim_message(body_param), '');
  where_it_is text := internal.clean_place(place_param);
  has_location boolean := latitude_param is not null and longitude_param is not null;
  -- About a kilometer, or a meter.
  digits integer := case when exact_param then 5 else 2 end;
  key_hash bytea := sha256(convert_to(finder_key_param, 'UTF8'));
  conversation uuid;
  message public.messages;
begin
  if kind_of not in ('text', 'have_it', 'left_it', 'saw_it') then
    raise exception 'No message has this kind' using errcode = '22023';
  end if;
  if char_length(trimmed) > 250 or (trimmed = '' and kind_of = 'text') then
    raise exception 'A message has between 1 and 250 characters' using errcode = '22023';
  end if;
  if char_length(where_it_is) > 100 then
    raise exception 'A place has at most 100 characters' using errcode = '22023';
  end if;
  if (latitude_param is null) <> (longitude_param is null)
      or latitude_param not between -90 and 90 or longitude_param not between -180 and 180 then
    raise exception 'The location is none on Earth' using errcode = '22023';
  end if;
  if char_length(finder_key_param) not between 20 and 100 then
    raise exception 'The finder''s key is not one of ours' using errcode = '22023';
  end if;

  -- Held against deletion until the message is in.
  select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  if not found and internal.tag_claimed_code(qr_id_param) then
    select * into item from public.items where qr_id = internal.own_code_of_item(qr_id_param) for key share;
  end if;
  if item.id is null or internal.is_void(qr_id_param) then
    raise exception 'No item has this code' using errcode = 'PT404';
  end if;
  if not coalesce(item.message_enabled, (select message_enabled from public.profiles where id = item.user_id), true) then
    raise exception 'The owner takes no messages for this item' using errcode = 'PT403';
  end if;

  -- Held against deletion as well.
  select id into conversation from public.conversations
    where id = internal.conversation_of_key(item.id, finder_key_param) for key share;
  if conversation is null then
    insert into public.conversations (item_id, owner_id, finder_key_hash)
      values (item.id, item.user_id, key_hash)
      on conflict (finder_key_hash) do nothing
      returning id into conversation;
    if conversation is null then
      -- The same browser sent twice at once; the other one has made it by now.
      select id into conversation from public.conversations
        where finder_key_hash = key_hash and item_id = item.id for key share;
    end if;
    if conversation is null then
      raise exception 'The finder''s key belongs to another conversation' using errcode = '23505';
    end if;
  end if;

  insert into public.messages (
      id, conversation_id, item_id, owner_id, sender, body, kind, place, latitude, longitude, location_exact
    )
    values (
      coalesce(message_id_param, gen_random_uuid()), conversation, item.id, item.user_id, 'finder', trimmed, kind_of,
      where_it_is, round(latitude_param::numeric, digits), round(longitude_param::numeric, digits),
      case when has_location then coalesce(exact_param, false) end
    )
    on conflict (id) do nothing
    returning * into message;
  if message.id is null then
    select * into message from public.messages where id = message_id_param;
    if (message.item_id, message.sender, message.kind, message.body, message.place)
        is distinct from (item.id, 'finder', kind_of, trimmed, where_it_is) then
      raise exception 'This message id is taken' using errcode = '23505';
    end if;
    -- What this call made for a message that was already there must not stay behind as an empty conversation.
    delete from public.conversations
      where id = conversation and not exists (select from public.messages where conversation_id = conversation);
  end if;
  return jsonb_build_object('message_id', message.id, 'sent_at', message.created_at);
end
$$;

-- As before, with kinds, places, and locations.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'qr_id', opened.qr_id,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'returned', (select returned_at is not null from public.conversations where id = opened.id),
        'progress', internal.progress_of_conversation(opened.id),
        'messages', messages.shown
      )
      from (
        select internal.conversation_of_key(item.id, finder_key_param) as id, item.qr_id
          from public.items as item where item.qr_id = internal.own_code_of_item(qr_id_param)
      ) as opened
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
            'id', message.id, 'sender', message.sender, 'body', message.body, 'sent_at', message.created_at,
            'kind', message.kind, 'place', message.place,
            'location', case when message.latitude is not null then jsonb_build_object(
              'latitude', message.latitude::float8, 'longitude', message.longitude::float8,
              'exact', message.location_exact
            ) end
          ) order by message.created_at, message.id) as shown
          from (
            select * from public.messages
              where conversation_id = opened.id
              order by created_at desc, id desc
              limit 100
          ) as message
      ) as messages
      where messages.shown is not null
  $$;

grant create on schema public, internal to service_role;
alter function internal.clean_place(text) owner to service_role;
alter function public.send_message(text, text, uuid, text, text, text, double precision, double precision, boolean)
  owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function internal.clean_place(text) to service_role;
grant execute on function public.send_message(text, text, uuid, text, text, text, double precision, double precision, boolean)
  to anon, authenticated, service_role;

-- kind: compatible
-- Conversations go both ways: the owner answers, and whoever holds the finder's key reads it. What is missing of an
-- owner's profile is made again, and an owner's first choice of ways is remembered.

-- The owner's answer in a conversation of their own. Sent again with the same message id it is the same message, so
-- an owner on a bad connection may retry. Returns {"message_id", "sent_at"}.
-- Errors: PT404 no such conversation of the caller's, 22023 empty or over 250 code points when trimmed,
-- 23505 the id is taken.
create function public.send_reply(
  conversation_id_param uuid,
  body_param text,
  message_id_param uuid default gen_random_uuid()
) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
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

  insert into public.messages (id, conversation_id, item_id, owner_id, sender, body)
    values (
      coalesce(message_id_param, gen_random_uuid()), conversation.id, conversation.item_id, conversation.owner_id,
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

-- The conversation about the item with this code whose key the caller holds, oldest message first, at most the last
-- 100; null without one. It says nothing of whether or when the owner has read anything, and leaves no trace for the
-- owner of being read.
create function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object('messages', jsonb_agg(
        jsonb_build_object('id', message.id, 'sender', message.sender, 'body', message.body, 'sent_at', message.created_at)
        order by message.created_at, message.id
      ))
      from public.conversations as conversation
      join public.items as item on item.id = conversation.item_id
      cross join lateral (
        select id, sender, body, created_at from public.messages
          where conversation_id = conversation.id
          order by created_at desc, id desc
          limit 100
      ) as message
      where conversation.finder_key_hash = sha256(convert_to(finder_key_param, 'UTF8')) and item.qr_id = qr_id_param
      having count(*) > 0
  $$;

-- Makes the profile of an item's owner again from the account, where it is missing. Returns whether it was.
create function internal.repair_profile_of_owner(qr_id_param text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  insert into public.profiles (id, full_name, email, phone)
    select
        account.id,
        left(nullif(btrim(account.raw_user_meta_data ->> 'full_name'), ''), 200),
        account.email,
        substring(account.raw_user_meta_data ->> 'phone' from '^\+[1-9][0-9]{1,14}$')
      from public.items as item
      join auth.users as account on account.id = item.user_id
      where item.qr_id = qr_id_param
    on conflict (id) do nothing;
  return found;
end
$$;

-- A profile that is made again changes what finders are shown.
create trigger profiles_announce_new after insert on public.profiles
  for each row execute function internal.announce_item_change();

-- Null until the owner has said which ways are to be open, and is asked.
alter table public.profiles add column ways_chosen_at timestamptz;
grant update (ways_chosen_at) on public.profiles to authenticated;

grant create on schema public, internal to service_role;
alter function public.send_reply(uuid, text, uuid) owner to service_role;
alter function public.read_conversation(text, text) owner to service_role;
alter function internal.repair_profile_of_owner(text) owner to service_role;
revoke create on schema public, internal from service_role;
grant execute on function public.send_reply(uuid, text, uuid) to authenticated, service_role;
grant execute on function public.read_conversation(text, text) to anon, authenticated, service_role;
grant execute on function internal.repair_profile_of_owner(text) to service_role;

-- kind: compatible
-- An owner says that they have an item back: its conversation is returned, and the item is no longer lost. The finder reads
-- it on the page and is thanked.

alter table public.conversations add column returned_at timestamptz;
comment on column public.conversations.returned_at is 'When the owner said that they have the item back. Null again after a further message from the finder.';
grant select (returned_at), update (returned_at) on public.conversations to authenticated;
create policy "owners close and reopen their own conversations" on public.conversations
  for update to authenticated
  using (owner_id = (select auth.uid()))
  with check (owner_id = (select auth.uid()));

-- The caller has the item back. With a conversation, it was this finder; without one, every conversation about the item
-- ends. Repeating it changes nothing.
create function public.take_back_item(item_id_param uuid, conversation_id_param uuid default null) returns void
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
  update public.conversations set returned_at = now()
    where item_id = item_id_param and coalesce(id = conversation_id_param, true) and returned_at is null;
end
$$;
grant execute on function public.take_back_item(uuid, uuid) to authenticated, service_role;

-- Whoever writes again has something to say about the item, so the conversation is open again.
create function internal.reopen_conversation() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
begin
  update public.conversations set returned_at = null where id = new.conversation_id and returned_at is not null;
  return null;
end
$$;
create trigger messages_reopen_conversation after insert on public.messages
  for each row when (new.sender = 'finder') execute function internal.reopen_conversation();

-- As before, and whether the owner has the item back.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'return_key_hash', (
          select encode(key_hash, 'hex') from internal.return_keys
            where conversation_id = opened.id order by created_at desc limit 1
        ),
        'returned', (select returned_at is not null from public.conversations where id = opened.id),
        'messages', messages.shown
      )
      from (
        select internal.conversation_of_key(item.id, finder_key_param) as id
          from public.items as item where item.qr_id = qr_id_param
      ) as opened
      cross join lateral (
        select jsonb_agg(jsonb_build_object(
            'id', message.id, 'sender', message.sender, 'body', message.body, 'sent_at', message.created_at
          ) order by message.created_at, message.id) as shown
          from (
            select id, sender, body, created_at from public.messages
              where conversation_id = opened.id
              order by created_at desc, id desc
              limit 100
          ) as message
      ) as messages
      where messages.shown is not null
  $$;

grant create on schema internal to service_role;
alter function internal.reopen_conversation() owner to service_role;
revoke create on schema internal from service_role;

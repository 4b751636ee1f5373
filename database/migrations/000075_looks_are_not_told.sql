-- kind: compatible
-- Whoever reads a conversation is not told whether its finder has looked at it. A server from before stores no more looks
-- and announces one reply until it is replaced. A reply that could not be announced no longer keeps back later ones.

-- As before, without whether the service waits for the finder to look: an owner has keys of conversations too.
create or replace function public.read_conversation(qr_id_param text, finder_key_param text) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
        'conversation_id', opened.id,
        'by_further_code', opened.qr_id <> qr_id_param,
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
            'id', message.id, 'sender', case when message.by_contact then 'contact' else message.sender end,
            'body', message.body, 'sent_at', message.created_at,
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

-- As before, and for every conversation that is shown.
create or replace function internal.look_at_conversation(conversation_id_param uuid, shown_param uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
declare
  kept internal.finder_addresses;
begin
  -- Most looks are at conversations that wait for none. A reply that is being written enqueues its own notice.
  if not exists (
    select from internal.finder_addresses where conversation_id = conversation_id_param and reply_id is not null
  ) then
    return;
  end if;
  -- Waits for a reply that is being written, so that the statements below see it.
  perform from internal.finder_addresses where conversation_id = conversation_id_param for no key update;
  update internal.finder_addresses set
      notified_at = null,
      reply_id = (
        select reply.id from public.messages as reply
          where reply.conversation_id = conversation_id_param and reply.sender = 'owner'
            and reply.id <> all (shown_param)
            and reply.created_at >= (select min(created_at) from public.messages where id = any (shown_param))
          order by reply.created_at, reply.id
          limit 1
      )
    where conversation_id = conversation_id_param and reply_id is not null
    returning * into kept;
  if kept.reply_id is not null and kept.proved_at is not null then
    perform internal.enqueue_reply_notice(conversation_id_param);
  end if;
end
$$;

-- Of the replies since the finder has last looked, one is announced. Any message keeps the address for longer.
create or replace function internal.note_message_for_finder() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
declare
  kept internal.finder_addresses;
begin
  update internal.finder_addresses set
      expires_at = case when proved_at is null then expires_at else now() + interval '90 days' end,
      reply_id = case when new.sender = 'owner' then coalesce(reply_id, new.id) else reply_id end
    where conversation_id = new.conversation_id and expires_at >= now()
    returning * into kept;
  -- Also where an earlier reply could not be announced, such as behind a code that was void. A notice that waits is not doubled.
  if new.sender = 'owner' and kept.reply_id is not null and kept.notified_at is null and kept.proved_at is not null then
    perform internal.enqueue_reply_notice(new.conversation_id);
  end if;
  return null;
end
$$;

-- The finder has looked at a conversation and was shown these messages. Replies that came in this moment stay to be
-- notified of.
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

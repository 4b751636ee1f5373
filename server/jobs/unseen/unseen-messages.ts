/**
 * SQL: the finder's messages of `conversation` that its owner has neither seen nor replied to, as `unseen`. There is no row
 * where there are none.
 */
export const UNSEEN_MESSAGES = `lateral (
        select count(*)::integer as count, min(message.created_at) as since,
          (array_agg(message.id order by message.created_at, message.id))[1] as first_id,
          (array_agg(message.id order by message.created_at desc, message.id desc))[1] as latest_id
        from public.messages as message
        where message.conversation_id = conversation.id and message.sender = 'finder' and message.read_at is null
          and message.created_at > coalesce((
            select max(reply.created_at) from public.messages as reply
              where reply.conversation_id = conversation.id and reply.sender = 'owner'
          ), '-infinity')
        having count(*) > 0
      ) as unseen`;

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

/**
 * SQL: since when the owner could have seen the first of the `unseen` messages of `conversation`: since its first notice left,
 * or since it came where none has.
 */
export const FIRST_NOTICED = `case when conversation.delivered_until >= unseen.since
        then greatest(unseen.since, conversation.delivered_at) else unseen.since end`;

/**
 * SQL: whether nothing more is sent of a finder's `message`: its owner has seen it, it was replied to, or the owner has the
 * item back.
 */
export const IS_SETTLED = `(
        message.read_at is not null
        or exists (
          select from public.messages as reply
            where reply.conversation_id = message.conversation_id and reply.sender = 'owner'
              and reply.created_at >= message.created_at
        )
        or exists (
          select from public.conversations as conversation
            where conversation.id = message.conversation_id and conversation.returned_at is not null
        )
      )`;

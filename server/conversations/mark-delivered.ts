import type { Database } from '#server/postgres/database.ts';

/**
 * SQL: when the first notice left of the messages that the owner has not seen. A notice of further ones does not change
 * it, so that a finder who goes on writing puts off no step.
 */
const FIRST_NOTICE = `case when conversation.delivered_at is not null and conversation.delivered_until >= (
    select min(unseen.created_at) from public.messages as unseen
      where unseen.conversation_id = conversation.id and unseen.sender = 'finder' and unseen.read_at is null
        and unseen.created_at > coalesce((
          select max(reply.created_at) from public.messages as reply
            where reply.conversation_id = conversation.id and reply.sender = 'owner'
        ), '-infinity')
  ) then conversation.delivered_at else now() end`;

/** Stores that a notice of this message, and thereby of those before it in the conversation, has left for its owner. */
export async function markMessageDelivered(database: Pick<Database, 'asService'>, messageId: string): Promise<void> {
  await database.asService({
    name: 'mark_message_delivered',
    text: `update public.conversations as conversation
             set delivered_until = message.created_at, delivered_at = ${FIRST_NOTICE}
             from public.messages as message
             where message.id = $1 and conversation.id = message.conversation_id
               and (conversation.delivered_until is null or conversation.delivered_until < message.created_at)`,
    values: [messageId],
  });
}

/** Stores that a digest of an item's messages of a day (UTC) has left for its owner. */
export async function markDayDelivered(
  database: Pick<Database, 'asService'>,
  itemId: string,
  day: string,
): Promise<void> {
  await database.asService({
    name: 'mark_day_delivered',
    text: `update public.conversations as conversation
             set delivered_until = latest.created_at, delivered_at = ${FIRST_NOTICE}
             from (
               select conversation_id, max(created_at) as created_at from public.messages
                 where item_id = $1 and sender = 'finder'
                   and created_at >= $2::timestamptz and created_at < $2::timestamptz + interval '1 day'
                 group by conversation_id
             ) as latest
             where conversation.id = latest.conversation_id
               and (conversation.delivered_until is null or conversation.delivered_until < latest.created_at)`,
    values: [itemId, `${day}T00:00:00Z`],
  });
}

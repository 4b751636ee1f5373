import type { Database } from '#server/postgres/database.ts';

/** Stores that a notice of this message, and thereby of those before it in the conversation, has left for its owner. */
export async function markMessageDelivered(database: Pick<Database, 'asService'>, messageId: string): Promise<void> {
  await database.asService({
    name: 'mark_message_delivered',
    text: `update public.conversations as conversation set delivered_until = message.created_at
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
    text: `update public.conversations as conversation set delivered_until = latest.created_at
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

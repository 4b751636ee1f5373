import type { Database } from '#server/postgres/database.ts';

/** A message of which an unproved address may be notified. */
interface Noticed {
  readonly userId: string;
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * Returns the place of a conversation among those that an unproved address is notified of, from 1; null where it was
 * notified of this one within a day. Counted are conversations, so that one finder uses up one. For the same message it
 * returns the same.
 */
export async function countUnprovedNotice(
  database: Pick<Database, 'transactAsService'>,
  { userId, conversationId, messageId }: Noticed,
): Promise<number | null> {
  return database.transactAsService(async (transaction) => {
    // Serialized by the account's lock, so that two concurrent messages get different numbers.
    await transaction.query({
      name: 'lock_account_to_count_notices',
      text: 'select from auth.users where id = $1 for no key update',
      values: [userId],
    });
    await transaction.query({
      name: 'note_unproved_notice',
      text: `insert into internal.unproved_notices (message_id, user_id, conversation_id, sent_at)
               select $1, $2, $3, clock_timestamp()
                 where not exists (
                   select from internal.unproved_notices
                     where user_id = $2 and conversation_id = $3 and sent_at > now() - interval '1 day'
                 )
               on conflict (message_id) do nothing`,
      values: [messageId, userId, conversationId],
    });
    const { rows } = await transaction.query<{ place: number }>({
      name: 'place_of_unproved_notice',
      text: `select place from (
               select dense_rank() over (order by begun, conversation)::integer as place, message_id from (
                 select message_id, coalesce(conversation_id, message_id) as conversation,
                     min(sent_at) over (partition by coalesce(conversation_id, message_id)) as begun
                   from internal.unproved_notices where user_id = $2
               ) as notices
             ) as ranked where message_id = $1`,
      values: [messageId, userId],
    });
    return rows[0]?.place ?? null;
  });
}

/** Returns the place of a notice that was not sent. */
export async function forgetUnprovedNotice(database: Pick<Database, 'asService'>, messageId: string): Promise<void> {
  await database.asService({
    name: 'forget_unproved_notice',
    text: 'delete from internal.unproved_notices where message_id = $1',
    values: [messageId],
  });
}

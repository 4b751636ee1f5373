import type { Database } from '#server/postgres/database.ts';

/**
 * Returns the number of this notice to an unproved address, from 1. For the same message it returns the same number.
 */
export async function countUnprovedNotice(
  database: Pick<Database, 'transactAsService'>,
  userId: string,
  messageId: string,
): Promise<number> {
  return database.transactAsService(async (transaction) => {
    // Serialized by the account's lock, so that two concurrent messages get different numbers.
    await transaction.query({
      name: 'lock_account_to_count_notices',
      text: 'select from auth.users where id = $1 for no key update',
      values: [userId],
    });
    await transaction.query({
      name: 'note_unproved_notice',
      text: `insert into internal.unproved_notices (message_id, user_id, sent_at)
               values ($1, $2, clock_timestamp()) on conflict (message_id) do nothing`,
      values: [messageId, userId],
    });
    const { rows } = await transaction.query<{ place: number }>({
      name: 'place_of_unproved_notice',
      text: `select count(*)::integer as place from internal.unproved_notices as notice
               join internal.unproved_notices as this on this.message_id = $1
               where notice.user_id = $2 and (notice.sent_at, notice.message_id) <= (this.sent_at, this.message_id)`,
      values: [messageId, userId],
    });
    return rows[0]?.place ?? 1;
  });
}

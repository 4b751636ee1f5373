import type { Database } from '#server/postgres/database.ts';

/** Notices that an address gets before anybody has proved it; it may be somebody else's. */
export const UNPROVED_NOTICES = 3;

/** Which notice to an unproved address this one is: 1 for the first. Asked again for one message it says the same. */
export async function countUnprovedNotice(
  database: Pick<Database, 'transactAsService'>,
  userId: string,
  messageId: string,
): Promise<number> {
  return database.transactAsService(async (transaction) => {
    // One after the other, so that of two messages at once neither takes the other's place.
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

import type { Transaction } from '#server/postgres/statement.ts';

/** Deletes every code and link that could open a session of the account. */
export async function spendCodes(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_spend_codes',
    text: `with exchangeable as (delete from auth.authorization_codes where user_id = $1)
             delete from auth.one_time_tokens
               where user_id = $1 and token_type in ('confirmation', 'invite', 'sign_in', 'recovery', 'reauthentication')`,
    values: [userId],
  });
}

/** Ends what waits for another person's consent: open offers of items, and invitations of second contacts. */
export async function endPendingChanges(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_end_pending_changes',
    text: 'select internal.end_pending_changes($1)',
    values: [userId],
  });
}

/** The assignments that end a change of the address or the number. `purge-expired.ts` ends those whose codes expired. */
export const END_OF_EMAIL_CHANGE = "new_email = null, email_change_sent_at = null, email_change_awaits = '{}'";
export const END_OF_PHONE_CHANGE = 'new_phone = null, phone_change_sent_at = null';

/** Cancels pending changes of the address or the number and deletes their codes. */
export async function dropPendingChanges(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_drop_pending_changes',
    text: `with codes as (
               delete from auth.one_time_tokens
                 where user_id = $1 and token_type in ('email_change_current', 'email_change_new', 'phone_change')
             )
             update auth.users set ${END_OF_EMAIL_CHANGE}, ${END_OF_PHONE_CHANGE} where id = $1`,
    values: [userId],
  });
}

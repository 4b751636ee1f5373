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

/** Cancels pending changes of the address or the number and deletes their codes. */
export async function dropPendingChanges(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query({
    name: 'auth_drop_pending_changes',
    text: `with codes as (
               delete from auth.one_time_tokens
                 where user_id = $1 and token_type in ('email_change_current', 'email_change_new', 'phone_change')
             )
             update auth.users set
               new_email = null, email_change_sent_at = null, email_change_awaits = '{}',
               new_phone = null, phone_change_sent_at = null
             where id = $1`,
    values: [userId],
  });
}

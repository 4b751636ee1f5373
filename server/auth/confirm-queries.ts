import type { Transaction } from '#server/postgres/statement.ts';

/**
 * The phone number is proved, and with it the account. The number itself is noted on the first account that proves
 * it; a household that shares a phone can still have several accounts.
 */
export async function confirmPhone(transaction: Transaction, userId: string, phone: string, at: Date): Promise<void> {
  const digits = phone.replace('+', '');
  // Two accounts that prove one number at the same moment meet here, before either looks for the other.
  await transaction.query({
    name: 'auth_lock_phone',
    text: `select pg_advisory_xact_lock(hashtextextended('phone:' || $1, 0))`,
    values: [digits],
  });
  await transaction.query({
    name: 'auth_confirm_phone',
    text: `with identity as (
               update auth.identities
                 set identity_data = identity_data || '{"phone_verified": true}', updated_at = $3
                 where user_id = $1 and provider = 'email'
             )
             update auth.users as account
               set phone = case
                     when exists (
                       select from auth.users as other
                         where other.phone = $2 and other.deleted_at is null and other.id <> account.id
                     ) then account.phone
                     else $2
                   end,
                   phone_confirmed_at = coalesce(account.phone_confirmed_at, $3), registration_phone = null,
                   raw_user_meta_data = account.raw_user_meta_data || '{"phone_verified": true}'
               where account.id = $1`,
    values: [userId, digits, at],
  });
}

/**
 * Takes the password from an account, and the phone unless the same proof proved it, because several people may have
 * typed them. It says so in `app_metadata.password_needed` until a password is set.
 */
export async function forgetTypedDetails(
  transaction: Transaction,
  userId: string,
  { keepsPhone }: { readonly keepsPhone: boolean },
): Promise<void> {
  await transaction.query({
    name: 'auth_forget_typed_details',
    text: `with profile as (
               update public.profiles set phone = null where id = $1 and not $2
             ), identity as (
               update auth.identities set identity_data = identity_data - 'phone' where user_id = $1 and not $2
             )
             update auth.users set
               raw_app_meta_data = case
                 when encrypted_password is null then raw_app_meta_data
                 else raw_app_meta_data || '{"password_needed": true}'
               end,
               encrypted_password = null,
               raw_user_meta_data = case when $2 then raw_user_meta_data else raw_user_meta_data - 'phone' end
             where id = $1`,
    values: [userId, keepsPhone],
  });
}

/** The code in hand at registration becomes the account's first item, unless somebody else has it. */
export async function tagAtRegistration(transaction: Transaction, userId: string, qrId: string): Promise<void> {
  await transaction.query({
    name: 'auth_tag_at_registration',
    text: 'select internal.tag_at_registration($1, $2)',
    values: [userId, qrId],
  });
}

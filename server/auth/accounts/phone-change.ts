import type { Transaction } from '#server/postgres/statement.ts';
import type { AuthService } from '../auth-service.ts';
import { type PendingCode, putCode } from '../codes/one-time-code.ts';
import type { CodeMessage } from '../codes/send-code.ts';
import { END_OF_PHONE_CHANGE, spendCodes } from '../codes/spend-codes.ts';
import { chooseRedirect } from '../wire/redirects.ts';
import { enqueueChangeNotice } from './enqueue-account-mail.ts';
import { noteProviders } from './prove-identifier.ts';
import { lockPhone, type UserRow } from './user.ts';

export interface PhoneChange {
  readonly userId: string;
  /** E.164. */
  readonly phone: string;
  /** When the holder of the requesting session last proved their identity; see `PendingCode`. */
  readonly provedAt: Date | null;
}

/** Records the requested phone number and returns the message with the code for it. */
export async function beginPhoneChange(
  service: AuthService,
  transaction: Transaction,
  { userId, phone, provedAt }: PhoneChange,
): Promise<CodeMessage> {
  await transaction.query({
    name: 'auth_begin_phone_change',
    text: 'update auth.users set new_phone = $2 where id = $1',
    values: [userId, phone.slice(1)],
  });
  const pending: PendingCode = { userId, tokenType: 'phone_change', channel: 'sms', recipient: phone, provedAt };
  const secrets = await putCode(service, transaction, pending);
  return { pending, secrets, redirect: chooseRedirect(service.config, undefined) };
}

/**
 * Makes the number the account's proved number. The profile follows where it showed the previous number or none.
 * Returns false where another account has proved the number in the meantime.
 */
export async function changePhone(
  transaction: Transaction,
  { id, phone: before }: Pick<UserRow, 'id' | 'phone'>,
  phone: string,
  at: Date,
): Promise<boolean> {
  const digits = phone.replace('+', '');
  await lockPhone(transaction, digits);
  const { rowCount } = await transaction.query({
    name: 'auth_change_phone',
    text: `with changed as (
               update auth.users as account set
                 phone = $2, phone_confirmed_at = $3, ${END_OF_PHONE_CHANGE}, is_anonymous = false,
                 raw_user_meta_data = account.raw_user_meta_data || '{"phone_verified": true}'
                   || jsonb_build_object('phone', '+' || $2)
               where account.id = $1 and not exists (
                 select from auth.users as other
                   where other.phone = $2 and other.deleted_at is null and other.id <> account.id
               )
               returning account.id
             )
             insert into auth.identities as identity (user_id, provider, provider_id, identity_data)
               select id, 'phone', id::text, $4 from changed
               on conflict (provider, provider_id) do update
                 set identity_data = identity.identity_data || excluded.identity_data, updated_at = $3`,
    values: [id, digits, at, { sub: id, phone: digits, phone_verified: true }],
  });
  if (rowCount !== 1) return false;
  // Codes to the previous number.
  await spendCodes(transaction, id);
  await noteProviders(transaction, id);
  await transaction.query({
    name: 'auth_change_phone_of_profile',
    text: `update public.profiles set phone = $2 where id = $1 and (phone is null or phone = $3)`,
    values: [id, phone, before === null ? null : `+${before}`],
  });
  await enqueueChangeNotice(transaction, { change: 'phone_changed', userId: id, former: before });
  return true;
}

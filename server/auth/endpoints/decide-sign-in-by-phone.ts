import { findUserByPhone, isBanned, lockUser } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { prepareCode, type Sending, takeMessageAllowance } from '../codes/message-allowance.ts';
import type { PendingCode } from '../codes/one-time-code.ts';
import { knownDeviceOf } from '../sessions/device-cookies.ts';
import { chooseRedirect } from '../wire/redirects.ts';

export interface PhonePreference {
  /** E.164 with the plus. */
  readonly phone: string;
  readonly deviceHash: Buffer | null;
}

/**
 * Decides how to send a sign-in code to the account with this phone number: by SMS, or to the account's proved email
 * address while no SMS may be sent. Returns null where no account has the number.
 */
export async function decideSignInByPhone(
  service: AuthService,
  { phone, deviceHash }: PhonePreference,
): Promise<Sending> {
  const { database, now, config } = service;
  const asked = await findUserByPhone(service.alone, phone);
  if (asked === undefined || isBanned(asked, now())) return null;
  // Limits are counted before the transaction: inside one, nothing may wait for a second connection.
  const known = { account: phone, isProved: true, knownDevice: await knownDeviceOf(service, asked.id, deviceHash) };
  const { id: userId, email } = asked;
  const bySms = { userId, tokenType: 'sign_in', channel: 'sms', recipient: phone } as const;
  const byEmail =
    email !== null && asked.email_confirmed_at !== null
      ? [{ ...bySms, channel: 'email', recipient: email } as const]
      : [];
  const taken = await takeMessageAllowance(service, ...[bySms, ...byEmail].map((way) => ({ ...way, ...known })));
  if (taken === null) return null;
  const { channel, recipient } = taken.way;
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (user === undefined || user.phone !== asked.phone || user.email !== email) return null;
    const pending: PendingCode = { userId, tokenType: 'sign_in', channel, recipient, askedOn: deviceHash };
    return prepareCode(service, transaction, taken.allowance, { pending, redirect: chooseRedirect(config, undefined) });
  });
}

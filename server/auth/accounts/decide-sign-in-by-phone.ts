import type { Sending } from './answer-uniformly.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { knownDeviceOf } from './known-device.ts';
import { sendWithin, takeMessageAllowance } from './message-allowance.ts';
import { sendCode } from './send-code.ts';
import { isBanned } from './user-object.ts';
import { findUserByPhone, lockUser } from './user-queries.ts';

export interface PhoneWish {
  /** E.164 with the plus. */
  readonly phone: string;
  readonly deviceHash: Buffer | null;
}

/**
 * A code to sign in with, for the account that has a number, which the code proves; by e-mail to the address that the
 * account has proved, where no SMS may go now; null where no account has the number.
 */
export async function decideSignInByPhone(service: AuthService, { phone, deviceHash }: PhoneWish): Promise<Sending> {
  const { database, now, config } = service;
  const asked = await findUserByPhone(service.alone, phone);
  if (asked === undefined || isBanned(asked, now())) return null;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
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
    const pending: PendingCode = { userId, tokenType: 'sign_in', channel, recipient };
    const secrets = await putCode(service, transaction, pending);
    const redirect = chooseRedirect(config, undefined);
    return () => sendWithin(service, taken.allowance, () => sendCode(service, { pending, secrets, redirect }));
  });
}

import type { Sending } from './answer-uniformly.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { takeRecipientAllowance } from './code-allowance.ts';
import { type PendingCode, putCode } from './code-queries.ts';
import { sendCode } from './send-code.ts';
import { isBanned } from './user-object.ts';
import { findUserByPhone, lockUser } from './user-queries.ts';

/** A code to sign in with, for the account that has a number (E.164 with the plus), which the code proves; null where none has. */
export async function decideSignInByPhone(service: AuthService, phone: string): Promise<Sending> {
  const { database, now, config } = service;
  const asked = await findUserByPhone(service.alone, phone);
  if (asked === undefined || isBanned(asked, now())) return null;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  if (!(await takeRecipientAllowance(service, { channel: 'sms', recipient: phone })).allowed) return null;
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, asked.id);
    if (user === undefined || user.phone !== asked.phone) return null;
    const pending: PendingCode = { userId: user.id, tokenType: 'sign_in', channel: 'sms', recipient: phone };
    const secrets = await putCode(service, transaction, pending);
    return () => sendCode(service, { pending, secrets, redirect: chooseRedirect(config, undefined) });
  });
}

import type { Sending } from './answer-uniformly.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { takeRecipientAllowance } from './code-allowance.ts';
import { askAgain } from './email-change.ts';
import { beginPhoneChange } from './phone-change.ts';
import { sendCode } from './send-code.ts';
import { isBanned } from './user-object.ts';
import { findUserByEmail, findUserOfChange, lockUser } from './user-queries.ts';

/** What is asked for again, for which address or number. */
export interface ResendWish {
  readonly address: string;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
}

/** The questions about a changed e-mail address that nobody has answered yet, once more, to both its addresses. */
export async function resendEmailChange(
  service: AuthService,
  { address, challenge, redirectTo }: ResendWish,
): Promise<Sending> {
  const { database, now, config } = service;
  const asked = await findUserOfChange(service.alone, { email: address });
  if (asked === undefined || asked.new_email === null || isBanned(asked, now())) return null;
  // Counted before the transaction begins: nothing in one may wait for a connection other than its own.
  const recipients = [asked.new_email, asked.email].filter((recipient) => recipient !== null);
  for (const recipient of recipients) {
    if (!(await takeRecipientAllowance(service, { channel: 'email', recipient })).allowed) return null;
  }
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, asked.id);
    if (user === undefined || user.new_email !== asked.new_email) return null;
    const redirect = chooseRedirect(config, redirectTo);
    const namesake = user.new_email === null ? undefined : await findUserByEmail(transaction, user.new_email);
    const taken = namesake?.confirmed_at != null;
    const messages = await askAgain(service, transaction, user, { redirect, challenge, taken });
    return async () => {
      await Promise.all(messages.map((message) => sendCode(service, message)));
    };
  });
}

/** The code for a changed number, once more, to the new one. */
export async function resendPhoneChange(service: AuthService, { address }: ResendWish): Promise<Sending> {
  const { database, now } = service;
  const asked = await findUserOfChange(service.alone, { phone: address });
  if (asked === undefined || asked.new_phone === null || isBanned(asked, now())) return null;
  const phone = `+${asked.new_phone}`;
  if (!(await takeRecipientAllowance(service, { channel: 'sms', recipient: phone })).allowed) return null;
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, asked.id);
    if (user === undefined || user.new_phone !== asked.new_phone) return null;
    const message = await beginPhoneChange(service, transaction, user.id, phone);
    return () => sendCode(service, message);
  });
}

import type { Sending } from './answer-uniformly.ts';
import type { AuthService } from './auth-service.ts';
import { chooseRedirect } from './choose-redirect.ts';
import { askAgain } from './email-change.ts';
import { bindsToProofKey } from './mail-link.ts';
import {
  giveBackMessageAllowance,
  type MessageAllowance,
  sendWithin,
  takeMessageAllowance,
} from './message-allowance.ts';
import { beginPhoneChange } from './phone-change.ts';
import { sendCode } from './send-code.ts';
import { isBanned, type UserRow } from './user-object.ts';
import { findUserByEmail, findUserOfChange, lockUser } from './user-queries.ts';

/** What is asked for again, for which address or number. */
export interface ResendWish {
  readonly address: string;
  readonly challenge: string;
  readonly redirectTo: string | undefined;
  /** What the database keeps of the device that asks; null where it brought no cookie. */
  readonly deviceHash: Buffer | null;
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
  const redirect = chooseRedirect(config, redirectTo);
  const allowance = await takeAllowanceOfBoth(service, asked, bindsToProofKey(redirect, challenge));
  if (allowance === null) return null;
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, asked.id);
    if (user === undefined || user.new_email !== asked.new_email) return null;
    const taken = user.new_email !== null && (await findUserByEmail(transaction, user.new_email)) !== undefined;
    const messages = await askAgain(service, transaction, user, { redirect, challenge, taken, provedAt: null });
    return () =>
      sendWithin(service, allowance, () => Promise.all(messages.map((message) => sendCode(service, message))));
  });
}

/** Both questions go out, or none: each makes the one before worthless. */
async function takeAllowanceOfBoth(
  service: AuthService,
  { id: userId, email, new_email: newEmail }: Pick<UserRow, 'id' | 'email' | 'new_email'>,
  isBound: boolean,
): Promise<MessageAllowance | null> {
  const messages = [
    { recipient: newEmail, tokenType: 'email_change_new', isProved: false },
    { recipient: email, tokenType: 'email_change_current', isProved: true },
  ] as const;
  const taken: MessageAllowance[] = [];
  for (const { recipient, ...message } of messages) {
    if (recipient === null) continue;
    const way = { ...message, channel: 'email', account: recipient, userId, recipient, isBound } as const;
    const one = await takeMessageAllowance(service, way);
    if (one === null) {
      await giveBackMessageAllowance(service, taken.flat());
      return null;
    }
    taken.push(one.allowance);
  }
  return taken.flat();
}

/** The code for a changed number, once more, to the new one. */
export async function resendPhoneChange(service: AuthService, { address }: ResendWish): Promise<Sending> {
  const { database, now } = service;
  const asked = await findUserOfChange(service.alone, { phone: address });
  if (asked === undefined || asked.new_phone === null || isBanned(asked, now())) return null;
  const phone = `+${asked.new_phone}`;
  const message = { channel: 'sms', recipient: phone, tokenType: 'phone_change', isProved: false } as const;
  const taken = await takeMessageAllowance(service, { ...message, account: phone, userId: asked.id });
  if (taken === null) return null;
  return database.transactAsService(async (transaction) => {
    const user = await lockUser(transaction, asked.id);
    if (user === undefined || user.new_phone !== asked.new_phone) return null;
    const sms = await beginPhoneChange(service, transaction, { userId: user.id, phone, provedAt: null });
    return () => sendWithin(service, taken.allowance, () => sendCode(service, sms));
  });
}

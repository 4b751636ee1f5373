import { randomUUID } from 'node:crypto';
import { mailEn } from '#domain/messages/mail-en.ts';
import { codesGoBySms } from '#server/delivery/codes-go-by-sms.ts';
import type { AuthService } from './auth-service.ts';
import type { CodeChannel, PendingCode } from './code-queries.ts';
import { CODE_LIFE_MS } from './one-time-code.ts';
import type { Metadata } from './sign-up-data.ts';
import type { UserRow } from './user-object.ts';

export interface Destination {
  readonly channel: CodeChannel;
  /** An e-mail address, or a number in E.164. */
  readonly recipient: string;
}

/** Where the code of a sign-up goes: to the phone in it, or by e-mail where there is none or codes don't go by SMS. */
export function chooseRecipient(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  email: string,
  { phone }: Metadata,
): Destination {
  return codesGoBySms(delivery, config) && typeof phone === 'string'
    ? { channel: 'sms', recipient: phone }
    : { channel: 'email', recipient: email };
}

/**
 * Where a code to sign in with goes: to what the account has proved, and nowhere else, since whoever reads it has the
 * account. An address that its owner only typed may be somebody else's. Null where nothing proved can be reached.
 */
export function chooseProvedRecipient(
  { delivery }: Pick<AuthService, 'delivery'>,
  user: Pick<UserRow, 'email' | 'email_confirmed_at' | 'phone'>,
): Destination | null {
  if (user.email !== null && user.email_confirmed_at !== null) return { channel: 'email', recipient: user.email };
  return delivery.hasSms && user.phone !== null ? { channel: 'sms', recipient: `+${user.phone}` } : null;
}

/** Sends a code to its recipient; resolves once the next server has accepted it. */
export async function sendCode(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  { userId, tokenType, channel, recipient }: PendingCode,
  code: string,
): Promise<void> {
  const words = { product: config.productName, code, minutes: CODE_LIFE_MS / 60_000 };
  const key = `code:${userId}:${randomUUID()}`;
  if (channel === 'sms') {
    // The phone matches the name of the host alone; a port has no place in it (origin-bound one-time codes).
    const { hostname: host } = new URL(config.publicUrl);
    await delivery.sendSms({ to: recipient, text: mailEn.codeSms({ ...words, host }), key });
    return;
  }
  const mail = tokenType === 'confirmation' ? mailEn.confirmationMail(words) : mailEn.signInMail(words);
  await delivery.sendEmail({ to: recipient, ...mail, key });
}

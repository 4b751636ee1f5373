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
  { userId, tokenType, channel, recipient, replacesAnother = false }: PendingCode,
  code: string,
): Promise<void> {
  const words = { product: config.productName, code, minutes: CODE_LIFE_MS / 60_000 };
  const key = `code:${userId}:${randomUUID()}`;
  if (channel === 'sms') {
    // The phone matches the name of the host alone; a port has no place in it (origin-bound one-time codes).
    const { hostname: host } = new URL(config.publicUrl);
    const text = replacesAnother
      ? mailEn.newestRegistrationSms({ ...words, host })
      : mailEn.codeSms({ ...words, host });
    await delivery.sendSms({ to: recipient, text, key });
    return;
  }
  const mail = replacesAnother
    ? mailEn.newestRegistrationMail({ ...words, registerUrl: registerUrl(config) })
    : tokenType === 'confirmation'
      ? mailEn.confirmationMail(words)
      : mailEn.signInMail(words);
  await delivery.sendEmail({ to: recipient, ...mail, key });
}

/**
 * In place of a code for an account that was registered more than once: whoever asks for it again may not be whoever
 * registered last, so the way on is to register once more. It goes to the address, which all of the registrations
 * name, and to the phone that waits for an SMS.
 */
export async function sendRegisterAgain(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  email: string,
  { userId, channel, recipient }: PendingCode,
): Promise<void> {
  const product = config.productName;
  // Of the messages about codes, so that the development outbox takes no older code for the pending one.
  const key = () => `code:${userId}:${randomUUID()}`;
  const mail = mailEn.registerAgainMail({ product, registerUrl: registerUrl(config) });
  await Promise.all([
    delivery.sendEmail({ to: email, ...mail, key: key() }),
    channel === 'sms' && delivery.sendSms({ to: recipient, text: mailEn.registerAgainSms({ product }), key: key() }),
  ]);
}

function registerUrl({ publicUrl }: AuthService['config']): string {
  return `${publicUrl}/auth?mode=register`;
}

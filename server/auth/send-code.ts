import { randomUUID } from 'node:crypto';
import { mailEn } from '#domain/messages/mail-en.ts';
import type { AuthService } from './auth-service.ts';
import type { CodeChannel, PendingCode } from './code-queries.ts';
import { CODE_LIFE_MS } from './one-time-code.ts';
import type { Metadata } from './sign-up-data.ts';

/**
 * Where the code of a sign-up goes: by SMS to the phone in it, or by e-mail where there is none or no SMS. A server
 * that hides which addresses have accounts always writes to the address: an SMS that comes, or does not come, to a
 * stranger's own phone would tell.
 */
export function chooseRecipient(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  email: string,
  { phone }: Metadata,
): { readonly channel: CodeChannel; readonly recipient: string } {
  return delivery.hasSms && !config.hideAccountExistence && typeof phone === 'string'
    ? { channel: 'sms', recipient: phone }
    : { channel: 'email', recipient: email };
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
    const { host } = new URL(config.publicUrl);
    await delivery.sendSms({ to: recipient, text: mailEn.codeSms({ ...words, host }), key });
    return;
  }
  const mail = tokenType === 'confirmation' ? mailEn.confirmationMail(words) : mailEn.signInMail(words);
  await delivery.sendEmail({ to: recipient, ...mail, key });
}

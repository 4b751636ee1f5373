import { randomUUID } from 'node:crypto';
import { composeMail, type MailContent } from '#domain/messages/compose-mail.ts';
import { mailEn } from '#domain/messages/mail-en.ts';
import { smsEn } from '#domain/messages/sms-en.ts';
import { codesGoBySms } from '#server/delivery/codes-go-by-sms.ts';
import type { AuthService } from './auth-service.ts';
import type { Redirect } from './choose-redirect.ts';
import type { CodeChannel, PendingCode, Secrets } from './code-queries.ts';
import { mailLink } from './mail-link.ts';
import type { Metadata } from './sign-up-data.ts';
import { isTextable } from './sms-allowance.ts';
import type { UserRow } from './user-object.ts';

export interface Destination {
  readonly channel: CodeChannel;
  /** An e-mail address, or a number in E.164. */
  readonly recipient: string;
}

/**
 * Where the code of a sign-up goes: to the phone in it, and by e-mail where there is none, where codes don't go by SMS,
 * or where no SMS may go to the number now.
 */
export function chooseRecipients(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  email: string,
  { phone }: Metadata,
): readonly Destination[] {
  const byEmail: Destination = { channel: 'email', recipient: email };
  if (!codesGoBySms(delivery, config) || typeof phone !== 'string' || !isTextable({ config }, phone)) return [byEmail];
  return [{ channel: 'sms', recipient: phone }, byEmail];
}

/**
 * Where a code to sign in with goes: to what the account has proved, and nowhere else, since whoever reads it has the
 * account. An address that its owner only typed may be somebody else's. Null where nothing proved can be reached.
 */
export function chooseProvedRecipient(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  user: Pick<UserRow, 'email' | 'email_confirmed_at' | 'phone'>,
): Destination | null {
  if (user.email !== null && user.email_confirmed_at !== null) return { channel: 'email', recipient: user.email };
  if (!delivery.hasSms || user.phone === null || !isTextable({ config }, `+${user.phone}`)) return null;
  return { channel: 'sms', recipient: `+${user.phone}` };
}

export interface CodeMessage {
  readonly pending: PendingCode;
  readonly secrets: Secrets;
  /** Where the link comes out. */
  readonly redirect: Redirect;
  /** The address that an account is to have, in the question to the one that it has. */
  readonly newAddress?: string;
  /** The address has an account already: its reader is told that, and gets no code. */
  readonly taken?: boolean;
}

/** Sends a code and its link to their recipient; resolves once the next server has accepted them. */
export async function sendCode(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  { pending, secrets, redirect, newAddress = '', taken = false }: CodeMessage,
): Promise<void> {
  const { userId, tokenType, channel, recipient } = pending;
  const product = config.productName;
  const words = {
    product,
    code: secrets.code,
    minutes: Math.ceil(config.codeLifeSeconds / 60),
    link: mailLink(config, { tokenType, link: secrets.link, redirect }),
    linkHours: Math.ceil(config.linkLifeSeconds / 3600),
    newAddress,
  };
  const key = `code:${userId}:${randomUUID()}`;
  if (channel === 'email') {
    const content = taken ? mailEn.addressTakenMail(signInWords(config)) : contentOf(pending, words);
    await delivery.sendEmail({ to: recipient, ...composeMail(content, product), key });
    return;
  }
  if (config.testPhoneNumbers.has(recipient)) return;
  // The phone matches the name of the host alone; a port has no place in it (origin-bound one-time codes).
  const { hostname: host } = new URL(config.publicUrl);
  const text = smsEn.code({ ...words, host });
  await delivery.sendSms({ to: recipient, text, key });
}

function signInWords({ productName: product, publicUrl }: Pick<AuthService['config'], 'productName' | 'publicUrl'>) {
  return { product, signInUrl: `${publicUrl}/auth?mode=login` };
}

type Words = Parameters<typeof mailEn.emailChangeCurrentMail>[0];

function contentOf({ tokenType, replacesAnother = false }: PendingCode, words: Words): MailContent {
  switch (tokenType) {
    case 'confirmation':
      return replacesAnother ? mailEn.newestRegistrationMail(words) : mailEn.confirmationMail(words);
    case 'invite':
      return mailEn.inviteMail(words);
    case 'recovery':
      return mailEn.recoveryMail(words);
    case 'email_change_new':
      return mailEn.emailChangeMail(words);
    case 'email_change_current':
      return mailEn.emailChangeCurrentMail(words);
    case 'reauthentication':
      return mailEn.reauthenticationMail(words);
    default:
      return mailEn.signInMail(words);
  }
}

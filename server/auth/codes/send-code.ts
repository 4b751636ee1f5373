import { randomUUID } from 'node:crypto';
import { composeMail, type MailContent } from '#domain/texts/letters/compose-mail.ts';
import type { LetterTexts } from '#domain/texts/letters/letters.ts';
import type { Config } from '#server/config.ts';
import { makeAddressLinks } from '#server/delivery/email/address-links.ts';
import { stopLink } from '#server/delivery/email/stopped-recipients.ts';
import { codesGoBySms, isTextable } from '#server/delivery/sms/may-be-texted.ts';
import type { Metadata } from '../accounts/metadata.ts';
import type { UserRow } from '../accounts/user.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';
import { type Redirect, withFragment } from '../wire/redirects.ts';
import { giveBackAccountAllowance } from './code-allowance.ts';
import { lettersOf } from './letters-of.ts';
import type { CodeTransport, PendingCode, Secrets, TokenType } from './one-time-code.ts';

export interface Destination {
  readonly channel: CodeTransport;
  /** An email address, or a number in E.164. */
  readonly recipient: string;
}

/**
 * Returns where the code of a sign-up can go, in order of preference: its phone number, then the email address. Only
 * email where the sign-up has no number, codes are not sent by SMS, or the number is not in an allowed country.
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
 * Returns where a sign-in code goes: only to a proved address or number, because its reader can sign in. A claimed
 * address may belong to someone else. Returns null where no proved recipient can be reached.
 */
export function chooseProvedRecipient(
  { delivery, config }: Pick<AuthService, 'delivery' | 'config'>,
  user: Pick<UserRow, 'email' | 'email_confirmed_at' | 'phone'>,
): Destination | null {
  if (config.hasMail && user.email !== null && user.email_confirmed_at !== null)
    return { channel: 'email', recipient: user.email };
  if (!delivery.hasSms || user.phone === null || !isTextable({ config }, `+${user.phone}`)) return null;
  return { channel: 'sms', recipient: `+${user.phone}` };
}

export interface CodeMessage {
  readonly pending: PendingCode;
  readonly secrets: Secrets;
  /** The page that the link leads to. */
  readonly redirect: Redirect;
  /** The requested address, for the message to the current one. */
  readonly newAddress?: string;
  /** In words, the device that asked for a code to sign in. */
  readonly device?: string;
  /** The address has an account: the message says so and carries no code. */
  readonly taken?: boolean;
}

/** Codes for addresses that the account has not proved: their reader may not know us. */
const PROVES_AN_ADDRESS: ReadonlySet<TokenType> = new Set(['confirmation', 'email_change_new']);

type Needs = Pick<AuthService, 'config' | 'delivery' | 'language' | 'alone'>;

/**
 * Sends a code and its link. Resolves once the mail server or SMS provider has accepted the message; at once where it is
 * an email and there is no mail server: then only an operator can make the link for the account.
 */
export async function sendCode(
  service: Needs & Pick<AuthService, 'secrets'>,
  { pending, secrets, redirect, newAddress = '', device = '', taken = false }: CodeMessage,
): Promise<void> {
  const { delivery, config } = service;
  const { userId, tokenType, channel, recipient } = pending;
  if (channel === 'email' && !config.hasMail) return;
  const { language, texts } = await lettersOf(service, taken ? { email: recipient } : { userId });
  const product = config.productName;
  const { mail, accountMail, sms } = texts;
  const words = {
    product,
    code: secrets.isCodeOff ? null : secrets.code,
    minutes: Math.ceil(config.codeLifeSeconds / 60),
    link: mailLink(config, { tokenType, link: secrets.link, redirect }),
    linkHours: Math.ceil(config.linkLifeSeconds / 3600),
    newAddress,
    device,
  };
  const key = `code:${userId}:${randomUUID()}`;
  if (channel === 'email') {
    const content = taken ? accountMail.addressTaken(signInWords(config)) : contentOf(mail, tokenType, secrets, words);
    const mailed = composeMail(content, product, language);
    const stop = PROVES_AN_ADDRESS.has(tokenType) ? { unsubscribeUrl: stopLink(service, recipient) } : {};
    await delivery.sendEmail({ to: recipient, ...mailed, key, ...stop });
    return;
  }
  if (config.testPhoneNumbers.has(recipient)) return;
  // Phones compare the hostname only, without the port (origin-bound one-time codes).
  const { hostname: host } = new URL(config.publicUrl);
  const text = sms.code({ ...words, code: secrets.code, host });
  await delivery.sendSms({ to: recipient, text, key });
}

function signInWords({ productName: product, publicUrl }: Pick<AuthService['config'], 'productName' | 'publicUrl'>) {
  return { product, signInUrl: `${publicUrl}/auth?mode=login` };
}

type Words = Parameters<LetterTexts['mail']['emailChangeCurrentMail']>[0] &
  Parameters<LetterTexts['mail']['signInMail']>[0];

function contentOf(
  mail: LetterTexts['mail'],
  tokenType: TokenType,
  { code }: Pick<Secrets, 'code'>,
  words: Words,
): MailContent {
  switch (tokenType) {
    case 'confirmation':
      return mail.confirmationMail(words);
    case 'invite':
      return mail.inviteMail(words);
    case 'recovery':
      return mail.recoveryMail(words);
    case 'email_change_new':
      return mail.emailChangeMail(words);
    case 'email_change_current':
      return mail.emailChangeCurrentMail(words);
    case 'reauthentication':
      return mail.reauthenticationMail({ ...words, code });
    case 'sign_in':
      return mail.signInMail(words);
    case 'phone_change':
    case 'address_proof':
    case 'address_disowning':
      throw new Error(`There is no email of the kind ${tokenType} to send at once.`);
  }
}

/**
 * Sends messages that a signed-in user waits for. Throws `codeNotTexted` or `codeNotMailed` where one is not accepted;
 * the user may then retry at once.
 */
export async function sendOrRefuse(service: AuthService, messages: readonly CodeMessage[]): Promise<void> {
  try {
    await Promise.all(messages.map((message) => sendCode(service, message)));
  } catch (cause) {
    const taken = new Map(messages.map(({ pending }) => [pending.channel, pending]));
    await Promise.all(
      [...taken.values()].map(({ userId, channel }) => giveBackAccountAllowance(service, userId, channel)),
    );
    if (messages.some(({ pending }) => pending.channel === 'sms')) throw new AuthError('codeNotTexted', { cause });
    throw new AuthError('codeNotMailed', { retryAfterSeconds: 5, cause });
  }
}

/** Mails the owner of an address that it has an account. The client that entered the address does not learn this. */
export async function sendAccountExists(service: Needs, email: string): Promise<void> {
  const { config, delivery } = service;
  if (!config.hasMail) return;
  const { productName: product } = config;
  const { language, texts } = await lettersOf(service, { email });
  const content = texts.accountMail.accountExists(signInWords(config));
  await delivery.sendEmail({ to: email, ...composeMail(content, product, language) });
}

/** Mails the links by which the reader of an address proves that it is an account's. */
export async function sendAddressProof(
  service: Needs & Pick<AuthService, 'database' | 'secrets' | 'now'>,
  claim: { readonly userId: string; readonly address: string },
): Promise<void> {
  const { config, delivery } = service;
  if (!config.hasMail) return;
  const { productName: product } = config;
  const { language, texts } = await lettersOf(service, claim);
  const content = texts.accountMail.addressProof({ product, ...(await makeAddressLinks(service, claim)) });
  const unsubscribeUrl = stopLink(service, claim.address);
  const stop = { kind: 'link', label: texts.stopAll, url: unsubscribeUrl } as const;
  const mailed = composeMail({ ...content, parts: [...content.parts, stop] }, product, language);
  await delivery.sendEmail({ to: claim.address, ...mailed, unsubscribeUrl });
}

/** The `type` of each link on the wire (docs/protocol/auth.md, Links). */
const WIRE_TYPES: Readonly<Record<TokenType, string>> = {
  confirmation: 'signup',
  invite: 'invite',
  sign_in: 'magiclink',
  recovery: 'recovery',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
  phone_change: 'phone_change',
  reauthentication: 'reauthentication',
  address_proof: 'email',
  address_disowning: 'email',
};

/** Our pages that spend a token themselves; all other links lead to the callback page. */
const PAGES: Partial<Record<TokenType, string>> = {
  recovery: '/auth?reset=true',
  address_disowning: '/not-mine',
};

/**
 * Returns the URL for a message. On our own pages the token is in the fragment: it stays out of logs and Referer
 * headers, and mail scanners that fetch the URL do not spend it. Other pages get the protocol's verify URL.
 */
function mailLink(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { tokenType, link, redirect }: { readonly tokenType: TokenType; readonly link: string; readonly redirect: Redirect },
): string {
  const type = WIRE_TYPES[tokenType];
  if (redirect.isOurs) {
    return withFragment(publicUrl + (PAGES[tokenType] ?? '/auth/callback'), { token_hash: link, type });
  }
  return `${publicUrl}/auth/v1/verify?${new URLSearchParams({ token: link, type, redirect_to: redirect.url })}`;
}

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { RateLimitAnswer } from '#server/http/limit-peek.ts';
import type { LimitName } from '#server/http/limits.ts';
import type { ServiceLog } from '#server/log.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import type { CodeChannel } from './code-queries.ts';

/** Whose codes are counted, and the ways that one might go: which it is may be the server's alone to know. */
export interface CodeAllowance {
  readonly key: string;
  readonly channels: readonly CodeChannel[];
}

/** Of codes that an e-mail address is asked for: an account that has proved a phone alone gets its codes there. */
export function allowanceOfAddress({ delivery }: Pick<AuthService, 'delivery'>, email: string): CodeAllowance {
  return { key: email, channels: delivery.hasSms ? ['email', 'sms'] : ['email'] };
}

const GAPS = { email: 'mail_gap_per_account', sms: 'sms_gap_per_account' } as const;

/**
 * Takes one from what an account may ask for: the gap between two codes, and codes a day. It counts by the address as
 * it was typed, so it tells nothing of whether there is such an account. Throws `codeGap` or `tooManyRequests`.
 */
export async function takeCodeAllowance(
  { limits }: Pick<AuthService, 'limits'>,
  { key, channels }: CodeAllowance,
): Promise<void> {
  for (const [at, channel] of channels.entries()) {
    const gap = await limits.take(GAPS[channel], key);
    if (gap.allowed) continue;
    await Promise.all(channels.slice(0, at).map((taken) => limits.giveBack(GAPS[taken], key)));
    const { retryAfterSeconds } = gap;
    throw new AuthError(channel === 'sms' ? 'codeGapSms' : 'codeGap', { detail: retryAfterSeconds, retryAfterSeconds });
  }
  await takeOrRefuse({ limits }, 'codes_per_account', key);
}

type CountsAndLog = Pick<AuthService, 'limits'> & { readonly log: Pick<ServiceLog, 'warn'> };

/** Ten thousand numbers that stand beside each other, as whoever earns with messages rents them. */
const DIGITS_WITHIN_RANGE = 4;

/**
 * Takes one from what may be sent to an address or a number, whoever asks, and says whether there was one. SMS cost
 * money, and there are those who are paid for each that arrives: they are counted for neighbouring numbers, for a
 * country's code and for the whole service, too.
 */
export async function takeRecipientAllowance(
  { limits, log }: CountsAndLog,
  { channel, recipient }: { readonly channel: CodeChannel; readonly recipient: string },
): Promise<RateLimitAnswer> {
  const counters: [LimitName, string][] = [['codes_per_recipient', recipient]];
  if (channel === 'sms') {
    const dialCode = parsePhoneNumberFromString(recipient)?.countryCallingCode ?? '';
    counters.push(
      ['sms_per_number_range', recipient.slice(0, -DIGITS_WITHIN_RANGE)],
      ['sms_per_dial_code', dialCode],
      ['sms_from_everywhere', 'all'],
    );
  }
  for (const [name, key] of counters) {
    const answer = await limits.take(name, key);
    if (answer.allowed) continue;
    // One person who asks too often is no news; that nobody of many is sent a message is.
    if (name !== 'codes_per_recipient') log.warn({ limit: name }, 'An SMS was held back: its limit is used up.');
    return answer;
  }
  return { allowed: true };
}

/** The same; throws `tooManyRequests` where there was none. */
export async function requireRecipientAllowance(
  service: CountsAndLog,
  destination: { readonly channel: CodeChannel; readonly recipient: string },
): Promise<void> {
  refuseUnlessAllowed(await takeRecipientAllowance(service, destination));
}

/** For codes that somebody signed in asks for: those to the phone leave those to the address alone. */
export function allowanceOfAccount(userId: string, channel: CodeChannel): CodeAllowance {
  return { key: `${userId} ${channel}`, channels: [channel] };
}

/** After a code could not be sent: its owner may ask again at once. */
export async function giveBackCodeAllowance(
  { limits }: Pick<AuthService, 'limits'>,
  { key, channels }: CodeAllowance,
): Promise<void> {
  await Promise.all([
    ...channels.map((channel) => limits.giveBack(GAPS[channel], key)),
    limits.giveBack('codes_per_account', key),
  ]);
}

/** Throws `tooManyRequests` where the limit is used up. */
export async function takeOrRefuse(
  { limits }: Pick<AuthService, 'limits'>,
  name: LimitName,
  key: string,
): Promise<void> {
  refuseUnlessAllowed(await limits.take(name, key));
}

/** Throws `tooManyRequests` for an answer that says no. */
export function refuseUnlessAllowed(answer: RateLimitAnswer): void {
  if (!answer.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: answer.retryAfterSeconds });
}

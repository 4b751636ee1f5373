import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isTextable } from '#server/delivery/may-be-texted.ts';
import type { RateLimitVerdict } from '#server/limits/limit-peek.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';
import type { CodeTransport } from './code-queries.ts';
import type { Destination } from './send-code.ts';
import { NEXT_TRIAL_SECONDS, passesBreaker } from './sms-breaker.ts';
import { rangeOf } from './sms-range-queries.ts';

type Counts = Pick<AuthService, 'limits'>;

const GAPS = { email: 'mail_gap_per_account', sms: 'sms_gap_per_account' } as const;

/** The limit that spaces out messages of a transport. */
export function gapOf(channel: CodeTransport): LimitName {
  return GAPS[channel];
}

/** Counts a code requested by a signed-in user. Throws `codeGap`, `codeGapSms` or `tooManyRequests`. */
export async function takeAccountAllowance(service: Counts, userId: string, channel: CodeTransport): Promise<void> {
  const gap = await service.limits.take(gapOf(channel), accountKey(userId, channel));
  if (!gap.allowed) throw gapError(channel, gap.retryAfterSeconds);
  await takeOrRefuse(service, 'codes_per_account', accountKey(userId, channel));
}

/** Returns the allowance after such a code could not be sent, so that it may be requested again at once. */
export async function giveBackAccountAllowance(
  { limits }: Counts,
  userId: string,
  channel: CodeTransport,
): Promise<void> {
  const key = accountKey(userId, channel);
  await Promise.all([limits.giveBack(gapOf(channel), key), limits.giveBack('codes_per_account', key)]);
}

/** SMS and email have separate counters. */
function accountKey(userId: string, channel: CodeTransport): string {
  return `${userId} ${channel}`;
}

/** The error of a request that came too soon after another. */
export function gapError(channel: CodeTransport, retryAfterSeconds: number): AuthError {
  return new AuthError(channel === 'sms' ? 'codeGapSms' : 'codeGap', { detail: retryAfterSeconds, retryAfterSeconds });
}

/** Throws `tooManyRequests` where the limit is exhausted. */
export async function takeOrRefuse({ limits }: Counts, name: LimitName, key: string): Promise<void> {
  refuseUnlessAllowed(await limits.take(name, key));
}

/** Throws `tooManyRequests` for a verdict that refuses. */
export function refuseUnlessAllowed(response: RateLimitVerdict): void {
  if (!response.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: response.retryAfterSeconds });
}

export interface SmsRecipient {
  /** E.164 with the plus. */
  readonly number: string;
  /** Whether the account has proved the number. Limits that strangers can exhaust do not apply to a proved number. */
  readonly isProved: boolean;
  /** The client's network address. Required for an unproved number. */
  readonly client?: string;
}

/** If refused: whether the number's range is open. */
type SmsVerdict = RateLimitVerdict & { readonly rangeIsOpen?: boolean };

type Sms = Pick<AuthService, 'limits' | 'alone' | 'now'> & {
  readonly config: Pick<AuthService['config'], 'smsCountries' | 'testPhoneNumbers' | 'codeLifeSeconds' | 'production'>;
  readonly log: Pick<ServiceLog, 'warn'>;
};

/** Throws `phoneNotTexted` for a number the operator allows no SMS to. */
export function requireTextable(service: Pick<Sms, 'config'>, number: string): void {
  if (!isTextable(service, number)) throw new AuthError('phoneNotTexted');
}

/**
 * Counts an SMS against the limits on what the service pays for, and returns whether it may be sent. Logs a warning
 * where it may not.
 */
export async function takeSmsAllowance(
  service: Sms,
  { number, isProved, client = '' }: SmsRecipient,
): Promise<SmsVerdict> {
  const { limits, log, config } = service;
  if (!isTextable(service, number)) return { allowed: false, retryAfterSeconds: 86_400 };
  if (!isProved && !config.testPhoneNumbers.has(number) && !(await passesBreaker(service, { number, client }))) {
    return { allowed: false, retryAfterSeconds: NEXT_TRIAL_SECONDS, rangeIsOpen: true };
  }
  const counters: [LimitName, string][] = isProved
    ? [['sms_to_proved_numbers', 'all']]
    : [
        ['sms_per_number_range', rangeOf(number)],
        ['sms_per_dial_code', parsePhoneNumberFromString(number)?.countryCallingCode ?? ''],
        ['sms_from_everywhere', 'all'],
      ];
  for (const [name, key] of counters) {
    const response = await limits.take(name, key);
    if (response.allowed) continue;
    log.warn({ limit: name }, 'An SMS was held back: its limit is exhausted.');
    return response;
  }
  return { allowed: true };
}

/**
 * The same for a code that has no other way. Throws `smsHeldBack` if the number range is open, else `tooManyRequests`.
 */
async function requireSmsAllowance(service: Sms, recipient: SmsRecipient): Promise<void> {
  const verdict = await takeSmsAllowance(service, recipient);
  if (!verdict.allowed && verdict.rangeIsOpen) {
    throw new AuthError('smsHeldBack', { retryAfterSeconds: verdict.retryAfterSeconds });
  }
  refuseUnlessAllowed(verdict);
}

/**
 * Counts a message that a signed-in user requested, beside the counters of their account, because its recipient may
 * belong to someone else. Throws `phoneNotTexted`, `smsHeldBack` or `tooManyRequests`.
 */
export async function requireRecipientAllowance(
  service: Sms,
  { channel, recipient, isProved, client = '' }: Destination & Pick<SmsRecipient, 'isProved' | 'client'>,
): Promise<void> {
  if (channel === 'sms') requireTextable(service, recipient);
  // A separate counter, so that strangers who register the address cannot exhaust it.
  if (!isProved) await takeOrRefuse(service, 'codes_per_recipient', `signed in ${recipient}`);
  if (channel === 'sms') await requireSmsAllowance(service, { number: recipient, isProved, client });
}

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isTextable } from '#server/delivery/may-be-texted.ts';
import type { RateLimitVerdict } from '#server/limits/limit-peek.ts';
import type { LimitName } from '#server/limits/limits.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';
import { refuseUnlessAllowed } from './code-allowance.ts';
import type { Destination } from './send-code.ts';
import { NEXT_TRIAL_SECONDS, passesBreaker } from './sms-breaker.ts';
import { rangeOf } from './sms-range-queries.ts';
import { takeUnprovedAllowance } from './unproved-allowance.ts';

export interface SmsRecipient {
  /** E.164 with the plus. */
  readonly number: string;
  /** Whether the account has proved the number. Limits that strangers can exhaust do not apply to a proved number. */
  readonly isProved: boolean;
  /** The client's network address. Required for an unproved number. */
  readonly client?: string;
  /** Counters of this number beside those of all numbers. */
  readonly ofNumber?: readonly LimitName[];
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
  { number, isProved, client = '', ofNumber = [] }: SmsRecipient,
): Promise<SmsVerdict> {
  const { limits, log, config } = service;
  if (!isTextable(service, number)) return { allowed: false, retryAfterSeconds: 86_400 };
  if (!isProved && !config.testPhoneNumbers.has(number) && !(await passesBreaker(service, { number, client }))) {
    return { allowed: false, retryAfterSeconds: NEXT_TRIAL_SECONDS, rangeIsOpen: true };
  }
  const counters: [LimitName, string][] = isProved
    ? [...ofNumber.map((name): [LimitName, string] => [name, number]), ['sms_to_proved_numbers', 'all']]
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
 * belong to someone else. Returns whether to send it: a recipient that got its few of the day gets no more, and the user
 * does not learn of it. Throws `phoneNotTexted`, `smsHeldBack` or `tooManyRequests`.
 */
export async function requireRecipientAllowance(
  service: Sms & Parameters<typeof takeUnprovedAllowance>[0],
  { channel, recipient, isProved, client = '', ofNumber = [] }: Destination & Omit<SmsRecipient, 'number'>,
): Promise<boolean> {
  if (channel === 'sms') requireTextable(service, recipient);
  const counted = isProved ? [] : await takeUnprovedAllowance(service, { channel, recipient, client });
  if (counted === null) return false;
  if (channel === 'sms') await requireSmsAllowance(service, { number: recipient, isProved, client, ofNumber });
  return true;
}

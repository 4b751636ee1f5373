import { isTextable } from '#server/delivery/sms/may-be-texted.ts';
import { rangeOf } from '#server/delivery/sms/number-range.ts';
import { type LimitName, smsBudget } from '#server/limits/limits.ts';
import type { Counter, RateLimitVerdict } from '#server/limits/rate-limits.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { AuthService } from '../auth-service.ts';
import { AuthError } from '../wire/auth-error.ts';
import { refuseUnlessAllowed } from './code-allowance.ts';
import type { Destination } from './send-code.ts';
import { takeUnprovedAllowance } from './unproved-allowance.ts';

export interface SmsRecipient {
  /** E.164 with the plus. */
  readonly number: string;
  /** Whether the account has proved the number. Limits that strangers can exhaust do not apply to a proved number. */
  readonly isProved: boolean;
  /** Counters of this number beside those of all numbers. */
  readonly ofNumber?: readonly LimitName[];
}

type RequestedRecipient = Destination &
  Omit<SmsRecipient, 'number'> & {
    /** The client's network address. Required for a recipient that the account has not proved. */
    readonly client?: string;
  };

type Sms = Pick<AuthService, 'limits'> & {
  readonly config: Pick<AuthService['config'], 'smsCountries' | 'testPhoneNumbers'>;
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
  { number, isProved, ofNumber = [] }: SmsRecipient,
): Promise<RateLimitVerdict> {
  const { limits, log } = service;
  if (!isTextable(service, number)) return { allowed: false, retryAfterSeconds: 86_400 };
  const counters: readonly Counter<LimitName>[] = isProved
    ? ofNumber.map((name) => [name, number])
    : [['sms_per_number_range', rangeOf(number)]];
  for (const [name, key] of [...counters, ...smsBudget({ isProved })]) {
    const response = await limits.take(name, key);
    if (response.allowed) continue;
    log.warn({ limit: name }, 'An SMS was held back: its limit is exhausted.');
    return response;
  }
  return { allowed: true };
}

/**
 * The same for a code that has no other way. Throws `smsHeldBack` for an unproved number, in whose place another way can
 * be used, and else `tooManyRequests`.
 */
async function requireSmsAllowance(service: Sms, recipient: SmsRecipient): Promise<void> {
  const verdict = await takeSmsAllowance(service, recipient);
  if (!verdict.allowed && !recipient.isProved) {
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
  { channel, recipient, isProved, client = '', ofNumber = [] }: RequestedRecipient,
): Promise<boolean> {
  if (channel === 'sms') requireTextable(service, recipient);
  const counted = isProved ? [] : await takeUnprovedAllowance(service, { channel, recipient, client });
  if (counted === null) return false;
  if (channel === 'sms') await requireSmsAllowance(service, { number: recipient, isProved, ofNumber });
  return true;
}

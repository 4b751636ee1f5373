import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { mayBeTexted } from '#server/delivery/may-be-texted.ts';
import type { RateLimitAnswer } from '#server/http/limit-peek.ts';
import type { LimitName } from '#server/http/limits.ts';
import type { ServiceLog } from '#server/log.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';

export interface SmsRecipient {
  /** E.164 with the plus. */
  readonly number: string;
  /** Whether the account that it is for has proved the number. Limits that anybody can use up do not hold it up. */
  readonly isProved: boolean;
}

type Sms = Pick<AuthService, 'limits'> & {
  readonly config: Pick<AuthService['config'], 'smsCountries' | 'testPhoneNumbers'>;
  readonly log: Pick<ServiceLog, 'warn'>;
};

/** Ten thousand numbers that stand beside each other, as they are rented out to those who earn from each SMS. */
const DIGITS_WITHIN_RANGE = 4;

/** All numbers that differ from this one in their last four digits. */
function rangeOf(number: string): string {
  return number.slice(0, -DIGITS_WITHIN_RANGE);
}

/** Whether SMS go to the number, as the operator has it. */
export function isTextable({ config }: Pick<Sms, 'config'>, number: string): boolean {
  return config.testPhoneNumbers.has(number) || mayBeTexted(number, config.smsCountries);
}

/** Throws `phoneNotTexted` for a number that no SMS goes to. */
export function requireTextable(service: Pick<Sms, 'config'>, number: string): void {
  if (!isTextable(service, number)) throw new AuthError('phoneNotTexted');
}

/**
 * Counts an SMS against what the service pays for, and says whether it may go. The operator is told where it may not.
 */
export async function takeSmsAllowance(service: Sms, { number, isProved }: SmsRecipient): Promise<RateLimitAnswer> {
  const { limits, log } = service;
  if (!isTextable(service, number)) return { allowed: false, retryAfterSeconds: 86_400 };
  const counters: [LimitName, string][] = isProved
    ? [['sms_to_proved_numbers', 'all']]
    : [
        ['sms_per_number_range', rangeOf(number)],
        ['sms_per_dial_code', parsePhoneNumberFromString(number)?.countryCallingCode ?? ''],
        ['sms_from_everywhere', 'all'],
      ];
  for (const [name, key] of counters) {
    const answer = await limits.take(name, key);
    if (answer.allowed) continue;
    log.warn({ limit: name }, 'An SMS was held back: its limit is used up.');
    return answer;
  }
  return { allowed: true };
}

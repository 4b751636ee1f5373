import { isSupportedCountry } from 'libphonenumber-js/max';
import * as v from 'valibot';
import type { SmsCountries } from '#server/delivery/sms/may-be-texted.ts';
import { type LimitFigures, type LimitName, shareOfUnproved } from '#server/limits/limits.ts';
import { commaSeparated, wholeNumberIfSet } from './values.ts';

/** The variables of the SMS providers. At most one provider may be set. */
export const smsVariables = {
  TWILIO_ACCOUNT_SID: v.optional(
    v.pipe(v.string(), v.regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hexadecimal digits')),
  ),
  TWILIO_AUTH_TOKEN: v.optional(v.string()),
  TWILIO_FROM: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(\+[1-9]\d{1,14}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
        'must be a number such as +15005550006, a messaging service (MG…) or a sender name of at most 11 characters',
      ),
    ),
  ),
  SMS_WEBHOOK_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => isSafeUrl(value), 'must be an https:// address; http:// only on this machine'),
    ),
  ),
  SMS_WEBHOOK_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  SMS_A_DAY: wholeNumberIfSet(2, 1_000_000),
  SMS_COUNTRIES: v.optional(
    v.pipe(
      commaSeparated,
      v.check(
        (codes) => codes.length > 0 && codes.every((code) => isSupportedCountry(code)),
        'must be countries by their two letters (ISO 3166) such as IL,US, comma separated',
      ),
      v.transform((codes) => new Set(codes.filter((code) => isSupportedCountry(code)))),
    ),
  ),
};

type SmsEnvironment = v.InferOutput<v.ObjectSchema<typeof smsVariables, undefined>>;

export type SmsSettings =
  | { readonly provider: 'twilio'; readonly accountSid: string; readonly authToken: string; readonly from: string }
  | { readonly provider: 'webhook'; readonly url: string; readonly secret: string };

const TWILIO = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const;
const WEBHOOK = ['SMS_WEBHOOK_URL', 'SMS_WEBHOOK_SECRET'] as const;

/** Returns the figures of limits that `SMS_A_DAY` sets: numbers that no account has proved get half of it. */
export function smsLimits({ SMS_A_DAY: points }: SmsEnvironment): readonly (readonly [LimitName, LimitFigures])[] {
  if (points === undefined) return [];
  const seconds = 86_400;
  return [
    ['sms_a_day', { points, seconds }],
    ['sms_a_day_to_unproved_numbers', { points: shareOfUnproved(points), seconds }],
  ];
}

/** Requires a single, completely configured provider. */
export function smsProblems(env: SmsEnvironment): string[] {
  const problems = [TWILIO, WEBHOOK].flatMap((names) => {
    const missing = names.filter((name) => env[name] === undefined);
    if (missing.length === names.length) return [];
    return missing.map((name) => `${name} is missing: an SMS provider needs ${names.join(', ')}.`);
  });
  if (env.TWILIO_ACCOUNT_SID !== undefined && env.SMS_WEBHOOK_URL !== undefined) {
    problems.push('SMS_WEBHOOK_URL and TWILIO_ACCOUNT_SID name two SMS providers: give one.');
  }
  if (env.SMS_COUNTRIES === undefined && smsSettings(env) !== null) {
    problems.push(
      'SMS_COUNTRIES is missing: name the countries whose mobile numbers are sent SMS, such as IL,US. Every other number would be an open bill.',
    );
  }
  return problems;
}

/** Returns the configured provider. Call it where `smsProblems` finds none. */
export function smsSettings(env: SmsEnvironment): SmsSettings | null {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_FROM: from } = env;
  if (accountSid !== undefined && authToken !== undefined && from !== undefined) {
    return { provider: 'twilio', accountSid, authToken, from };
  }
  const { SMS_WEBHOOK_URL: url, SMS_WEBHOOK_SECRET: secret } = env;
  return url !== undefined && secret !== undefined ? { provider: 'webhook', url, secret } : null;
}

/**
 * Returns the countries that SMS may be sent to. A development server only stores messages in its outbox, so by default
 * it accepts any number.
 */
export function smsCountries({ SMS_COUNTRIES }: SmsEnvironment, production: boolean): SmsCountries {
  return SMS_COUNTRIES ?? (production ? new Set() : 'all');
}

/** Requires TLS, except for the local machine, because sign-in codes are sent there. */
function isSafeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

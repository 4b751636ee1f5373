import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Delivery } from '#server/delivery/delivery.ts';

/** ISO 3166 country codes, or every country with every type of number. */
export type SmsCountries = ReadonlySet<CountryCode> | 'all';

/** Types of numbers at the usual price. Premium, shared-cost and satellite numbers earn from SMS. */
const TYPES: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** Whether SMS may be sent to a number (E.164 with the plus): a mobile number of an allowed country. */
export function mayBeTexted(number: string, countries: SmsCountries): boolean {
  if (countries === 'all') return true;
  const parsed = parsePhoneNumberFromString(number);
  return parsed?.country !== undefined && countries.has(parsed.country) && TYPES.has(parsed.getType());
}

interface TextingRules {
  readonly smsCountries: SmsCountries;
  /** Numbers to which no SMS is sent, because their codes are in the configuration. */
  readonly testPhoneNumbers: { has(number: string): boolean };
}

/** Whether the operator allows SMS to a number (E.164 with the plus), the test numbers included. */
export function isTextable({ config }: { readonly config: TextingRules }, number: string): boolean {
  return config.testPhoneNumbers.has(number) || mayBeTexted(number, config.smsCountries);
}

/**
 * Whether the code of a sign-up goes to its phone number. A server that hides which addresses have accounts always uses
 * email: an SMS that arrives, or does not, would reveal it to the registering client.
 */
export function codesGoBySms(
  delivery: Pick<Delivery, 'hasSms'>,
  config: { readonly hideAccountExistence: boolean },
): boolean {
  return delivery.hasSms && !config.hideAccountExistence;
}

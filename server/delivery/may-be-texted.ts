import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** ISO 3166 codes, or every country, and every type of number with it. */
export type SmsCountries = ReadonlySet<CountryCode> | 'all';

/** Of the numbers that take SMS, those that cost what an SMS costs. Premium, shared-cost and satellite numbers earn from it. */
const TYPES: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** Whether SMS go to a number (E.164 with the plus): a mobile number of a country in the list. */
export function mayBeTexted(number: string, countries: SmsCountries): boolean {
  if (countries === 'all') return true;
  const parsed = parsePhoneNumberFromString(number);
  return parsed?.country !== undefined && countries.has(parsed.country) && TYPES.has(parsed.getType());
}

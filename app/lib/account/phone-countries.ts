import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { isE164 } from '#domain/is-e164.ts';

export interface PhoneCountry {
  readonly code: CountryCode;
  readonly name: string;
  /** Digits, without the plus. */
  readonly callingCode: string;
}

/** Every country that has telephone numbers, by its name in the given language. */
export function phoneCountries(language: string): PhoneCountry[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code, callingCode: getCountryCallingCode(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, language));
}

/**
 * The number in E.164, or null where it cannot be one. Only its length is checked: which ranges are in use changes
 * faster than any list, and the code that is sent to it proves the number anyway.
 */
export function toE164(typed: string, country: string): string | null {
  // A country from the list above; an unknown one makes the parser answer undefined.
  const parsed = parsePhoneNumberFromString(typed, country as CountryCode);
  return parsed?.isPossible() && isE164(parsed.number) ? parsed.number : null;
}

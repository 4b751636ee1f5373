import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { isE164 } from '#domain/account/is-e164.ts';
import { plainTyped } from '#domain/plain-typed.ts';

export interface PhoneCountry {
  readonly code: CountryCode;
  readonly name: string;
  /** The digits, without the plus. */
  readonly callingCode: string;
  /** Whether it is the main country of this calling code. */
  readonly isMain: boolean;
}

/** Returns every country with phone numbers, sorted by name in the given language. */
export function phoneCountries(language: string): PhoneCountry[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return getCountries()
    .map((code) => {
      const callingCode = getCountryCallingCode(code);
      // The metadata's list of a calling code begins with its main country.
      const isMain = metadata.country_calling_codes[callingCode]?.[0] === code;
      return { code, name: names.of(code) ?? code, callingCode, isMain };
    })
    .sort((one, other) => one.name.localeCompare(other.name, language));
}

/**
 * Returns the number in E.164, or null where it is not possible. Only the length is checked: number ranges change
 * faster than any list, and the code sent to it proves the number.
 */
export function toE164(typed: string, country: string): string | null {
  // A country from the list above; for an unknown one the parser returns undefined.
  const parsed = parsePhoneNumberFromString(plainTyped(typed), country as CountryCode);
  return parsed?.isPossible() && isE164(parsed.number) ? parsed.number : null;
}

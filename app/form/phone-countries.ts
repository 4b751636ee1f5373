import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { isE164 } from '#domain/is-e164.ts';

export interface PhoneCountry {
  readonly code: CountryCode;
  readonly name: string;
  /** Digits, without the plus. */
  readonly callingCode: string;
  /** The others with this calling code share it with this one. */
  readonly isMain: boolean;
}

/** Every country that has telephone numbers, by its name in the given language. */
export function phoneCountries(language: string): PhoneCountry[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return getCountries()
    .map((code) => {
      const callingCode = getCountryCallingCode(code);
      // The list of who has a calling code begins with the main one.
      const isMain = metadata.country_calling_codes[callingCode]?.[0] === code;
      return { code, name: names.of(code) ?? code, callingCode, isMain };
    })
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

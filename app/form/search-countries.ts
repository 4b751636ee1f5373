import type { PhoneCountry } from './phone-countries.ts';

/**
 * Returns the countries that match `query`, best first: names that begin with it, the country with this two-letter
 * code, names with another word that begins with it, names that contain it. Equal matches keep their order. Digits
 * match the beginning of a calling code, with or without its plus or zeros; of countries that share one, the main one
 * is first.
 */
export function searchCountries(countries: readonly PhoneCountry[], query: string): PhoneCountry[] {
  const wanted = fold(query.trim());
  const digits = /^(?:\+|00)?(\d+)$/.exec(wanted)?.[1];
  return countries
    .map((country) => ({
      country,
      rank: digits === undefined ? rankOfName(country, wanted) : rankOfCallingCode(country, digits),
    }))
    .filter(({ rank }) => rank < NOT_MEANT)
    .sort((one, other) => one.rank - other.rank)
    .map(({ country }) => country);
}

const NOT_MEANT = 4;

function rankOfName({ name, code }: PhoneCountry, wanted: string): number {
  const folded = fold(name);
  if (folded.startsWith(wanted)) return 0;
  if (code.toLowerCase() === wanted) return 1;
  if (folded.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 2;
  return folded.includes(wanted) ? 3 : NOT_MEANT;
}

function rankOfCallingCode({ callingCode, isMain }: PhoneCountry, digits: string): number {
  if (callingCode === digits) return isMain ? 0 : 1;
  return callingCode.startsWith(digits) ? 2 : NOT_MEANT;
}

/** Lower case without diacritics, so that Åland and Réunion can be found on any keyboard. */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();
}

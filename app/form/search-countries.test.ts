import { describe, expect, it } from 'vitest';
import { phoneCountries } from './phone-countries.ts';
import { searchCountries } from './search-countries.ts';

const countries = phoneCountries('en');
const found = (query: string) => searchCountries(countries, query).map(({ name }) => name);

describe('searchCountries', () => {
  it('ranks names that start with the text first, then names with such a word, then names that contain it', () => {
    const names = found('in');
    expect(names.slice(0, 3)).toEqual(['India', 'Indonesia', 'British Indian Ocean Territory']);
    expect(names).toContain('Argentina');
    expect(names.indexOf('Argentina')).toBeGreaterThan(2);
  });

  it.each([
    ['kingdom', 'United Kingdom'],
    ['  GERM', 'Germany'],
    ['us', 'United States'],
    ['reunion', 'Réunion'],
    ['aland', 'Åland Islands'],
    ["Cote d'I", 'Côte d’Ivoire'],
    ['49', 'Germany'],
    ['44', 'United Kingdom'],
    ['+1', 'United States'],
    ['00358', 'Finland'],
  ])('%j finds %s first', (query, name) => {
    expect(found(query)[0]).toBe(name);
  });

  it('matches digits to the start of a calling code, exact matches first', () => {
    const codes = searchCountries(countries, '+7').map(({ callingCode }) => callingCode);
    expect(new Set(codes)).toEqual(new Set(['7']));
    expect(searchCountries(countries, '97').every(({ callingCode }) => callingCode.startsWith('97'))).toBe(true);
    expect(found('72')).toEqual([]);
  });

  it('finds nothing for an unknown name, and every country for an empty search', () => {
    expect(found('atlantis')).toEqual([]);
    expect(found(' ')).toHaveLength(countries.length);
  });
});

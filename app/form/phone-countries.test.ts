import { describe, expect, it } from 'vitest';
import { phoneCountries, toE164 } from './phone-countries.ts';

describe('toE164', () => {
  it.each([
    ['050-123 4567', 'IL', '+972501234567'],
    ['501234567', 'IL', '+972501234567'],
    ['+49 30 901820', 'IL', '+4930901820'],
    ['030 901820', 'DE', '+4930901820'],
    ['+972\ufe0d-50-1234567', 'IL', '+972501234567'],
    ['\u202a+972 50\u00ad123\u034f4567\u202c', 'DE', '+972501234567'],
    ['०५०१२३४५६७', 'IL', '+972501234567'],
  ])('%s in %s is %s', (typed, country, number) => {
    expect(toE164(typed, country)).toBe(number);
  });

  it.each(['', '12', 'abc', '+', '+1234567890123456', '+49123456789012345'])('%j is no number', (typed) => {
    expect(toE164(typed, 'IL')).toBeNull();
  });
});

describe('phoneCountries', () => {
  it('names every country in the language, in its order', () => {
    const countries = phoneCountries('en');
    expect(countries.length).toBeGreaterThan(200);
    expect(countries.find(({ code }) => code === 'IL')).toEqual({
      code: 'IL',
      name: 'Israel',
      callingCode: '972',
      isMain: true,
    });
    expect(countries.filter(({ callingCode, isMain }) => callingCode === '44' && isMain)).toHaveLength(1);
    expect(countries.map(({ name }) => name)).toEqual(
      countries.map(({ name }) => name).sort((one, other) => one.localeCompare(other, 'en')),
    );
    expect(phoneCountries('de').find(({ code }) => code === 'DE')?.name).toBe('Deutschland');
  });
});

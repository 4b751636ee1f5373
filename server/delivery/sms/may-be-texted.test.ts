import { expect, test } from 'vitest';
import { mayBeTexted } from './may-be-texted.ts';

const COUNTRIES = new Set(['IL', 'US', 'GB'] as const);

test.each(['+972502234567', '+12125550123', '+447400123456'])(
  '%s, a mobile number of a country in the list',
  (number) => {
    expect(mayBeTexted(number, COUNTRIES)).toBe(true);
  },
);

test.each([
  ['+19005550100', 'premium rate in the United States'],
  ['+449098790000', 'premium rate in the United Kingdom'],
  ['+448439990000', 'shared cost in the United Kingdom'],
  ['+15005550006', 'a personal number, which is forwarded to anywhere'],
  ['+442079460000', 'a fixed line'],
  ['+881612345678', 'satellite'],
  ['+8821312345', 'an international network'],
  ['+979123456789', 'international premium rate'],
  ['+33612345678', 'a mobile number of a country that is not in the list'],
  ['+18095550123', 'the Dominican Republic, which shares its dial code with the United States'],
  ['+972500', 'too short'],
  ['', 'nothing'],
])('%s receives no SMS: %s [K6]', (number) => {
  expect(mayBeTexted(number, COUNTRIES)).toBe(false);
});

test('in development every number is as good as any other', () => {
  expect(mayBeTexted('+15550100', 'all')).toBe(true);
});

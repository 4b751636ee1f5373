import { expect, test } from 'vitest';
import { mailEn } from './mail-en.ts';

const words = { product: 'Reunite', code: '012345', minutes: 10, host: 'lost.example.com' };

test.each([
  ['a code', mailEn.codeSms(words)],
  ['the code of a newer registration', mailEn.newestRegistrationSms(words)],
  ['the word that no code comes', mailEn.registerAgainSms(words)],
])('%s fits into one SMS: 160 characters of the GSM alphabet', (_, text) => {
  expect(text.length).toBeLessThanOrEqual(160);
  expect(text).toMatch(/^[\n\w !"#%&'()*+,./:;<=>?@-]+$/);
});

test('a message that brings a code ends with the line that binds it to our own site', () => {
  for (const text of [mailEn.codeSms(words), mailEn.newestRegistrationSms(words)]) {
    expect(text.split('\n').at(-1)).toBe('@lost.example.com #012345');
  }
});

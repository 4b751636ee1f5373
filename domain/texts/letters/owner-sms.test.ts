import { expect, test } from 'vitest';
import { ownerLetters } from '#domain/words/compiled/en/owner-letters.ts';
import { ownerSms } from './owner-sms.ts';

const text = ownerSms(ownerLetters).code({ product: 'Reunite', code: '012345', minutes: 10, host: 'lost.example.com' });

test('a code fits into one SMS: 160 characters of the GSM alphabet', () => {
  expect(text.length).toBeLessThanOrEqual(160);
  expect(text).toMatch(/^[\n\w !"#%&'()*+,./:;<=>?@-]+$/);
});

test('an SMS with a code ends with the line that binds it to this site', () => {
  expect(text.split('\n').at(-1)).toBe('@lost.example.com #012345');
});

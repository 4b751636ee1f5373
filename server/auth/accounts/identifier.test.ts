import { expect, test } from 'vitest';
import { validateReset } from '#domain/account/validate-credentials.ts';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import { requireAcceptableAddress, requirePhoneNumber } from './identifier.ts';

test.each([
  ['olive@example.com', 'olive@example.com'],
  ['  Olive.Owner+tag@Example.COM ', 'olive.owner+tag@example.com'],
  ['olive@münchen.example', 'olive@xn--mnchen-3ya.example'],
  ['olive@ｅxample.com', 'olive@example.com'],
  ["o'hara!#$%&*/=?^_`{|}~-@example.co.uk", "o'hara!#$%&*/=?^_`{|}~-@example.co.uk"],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('%s is kept as %s', (typed, kept) => {
  expect(requireAcceptableAddress(typed, [])).toBe(kept);
  // And no form keeps it from being sent.
  expect(validateReset({ email: typed })).toEqual({});
});

test.each([
  '',
  'olive',
  '@example.com',
  'olive@',
  'olive@example',
  'olive@example.com/x',
  'olive@example.com?x',
  'olive@example.com#x',
  'olive@example.com:25',
  'olive@example.com\\x',
  'olive@b%2eexample.com',
  'olive@127.1',
  'olive@[127.0.0.1]',
  'olive@example..com',
  'olive@-example.com',
  'olive@exam ple.com',
  'ol ive@example.com',
  'ölive@example.com',
  'a@b@example.com',
  'olive@example.com\nBcc: x@example.com',
  '"olive"@example.com',
  `${'a'.repeat(65)}@example.com`,
  `olive@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
])('%j is no address', (typed) => {
  expect(() => requireAcceptableAddress(typed, [])).toThrow('Unable to validate email address: invalid format');
});

test('a listed domain is refused with its subdomains, and no other', () => {
  const denylist = ['spam.example'];
  for (const typed of ['x@spam.example', 'x@SPAM.example', 'x@mx.spam.example']) {
    expect(() => requireAcceptableAddress(typed, denylist)).toThrow(/is invalid$/);
  }
  expect(requireAcceptableAddress('x@notspam.example', denylist)).toBe('x@notspam.example');
});

test('only ASCII letters change their case', () => {
  expect(normalizeAddress('\u212Aim@example.com')).toBe('\u212Aim@example.com');
});

test.each([
  ['+972 50-123-4567', '+972501234567'],
  [' +44 20 7946 0018 ', '+442079460018'],
])('%s is %s', (typed, number) => {
  expect(requirePhoneNumber(typed)).toBe(number);
});

test.each(['0501234567', '+972', 'call me', '', '+4912345678901234', '+49123456789012345'])(
  '%s is refused',
  (typed) => {
    expect(() => requirePhoneNumber(typed)).toThrow(/Invalid phone number format/);
  },
);

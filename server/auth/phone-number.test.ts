import { expect, test } from 'vitest';
import { requirePhoneNumber } from './phone-number.ts';

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

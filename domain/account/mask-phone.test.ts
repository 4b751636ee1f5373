import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskPhone } from './mask-phone.ts';

it('shows only the last 4 characters', () => {
  expect(maskPhone('+972501234567')).toBe('•••••••••4567');
  expect(maskPhone('12345')).toBe('•2345');
});

it('hides all of a number of 4 characters or fewer', () => {
  expect(maskPhone('1234')).toBe('••••');
  expect(maskPhone('')).toBe('');
});

it('keeps the length', () => {
  fc.assert(fc.property(fc.string(), (phone) => maskPhone(phone).length === phone.length));
});

import { expect, it } from 'vitest';
import { pathOfThisSite } from './return-path.ts';

const ORIGIN = 'https://reunite.example';

it.each([
  ['/profile', '/profile'],
  ['/dashboard?qr_id=tgt-0123456789abcdef', '/dashboard?qr_id=tgt-0123456789abcdef'],
  [`${ORIGIN}/profile`, '/profile'],
])('leads back to %s', (address, path) => {
  expect(pathOfThisSite(address, ORIGIN)).toBe(path);
});

it.each([
  'https://evil.example/profile',
  '//evil.example/profile',
  '/\\evil.example',
  'javascript:alert(1)',
  'https://',
])('never leads to %s [D36]', (address) => {
  expect(pathOfThisSite(address, ORIGIN)).toBeNull();
});

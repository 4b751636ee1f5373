import { expect, test } from 'vitest';
import { acceptedEncoding } from './accepted-encoding.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br; q=0.0,gzip; q=0', 'identity'],
  ['br;q=0.1', 'br'],
  ['deflate', 'identity'],
  ['brotli', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
] as const)('%j gets %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});

test('an encoding without a copy is not chosen', () => {
  expect(acceptedEncoding('br, gzip', { br: false, gzip: true })).toBe('gzip');
  expect(acceptedEncoding('br, gzip', { br: false, gzip: false })).toBe('identity');
});

import { expect, test } from 'vitest';
import { RememberedTokens } from './remembered-tokens.ts';

const EXPIRY = 4_000_000_000;
const claimsOf = (sub: string, metadata: unknown = {}) => ({
  sub,
  session_id: `session of ${sub}`,
  exp: EXPIRY,
  metadata,
});

test('ten thousand ordinary tokens are remembered', () => {
  const remembered = new RememberedTokens();
  const metadata = { full_name: 'Dana Levi', phone: '+972501234567', qr_id: 'tgt-abcdefghijklmnop' };
  const app = { provider: 'email', providers: ['email'] };
  const token = (index: number) => `${index}`.padEnd(1_200, 'x');
  for (let index = 0; index < 10_000; index += 1) {
    remembered.add(token(index), { ...claimsOf(`${index}`, metadata), app, iss: 'https://lost.example.org/auth/v1' });
  }
  expect(remembered.get(token(0), 0)?.claims.sub).toBe('0');
  expect(remembered.get(token(9_999), 0)?.claims.sub).toBe('9999');
});

test('tokens with as much metadata as an account can have stay within the memory of ordinary ones [K41]', () => {
  const remembered = new RememberedTokens();
  const metadata = Array.from({ length: 2_700 }, () => ({}));
  const token = (index: number) => `${index}`.padEnd(11_000, 'x');
  const first = remembered.add(token(0), claimsOf('first', metadata));
  for (let index = 1; index < 1_000; index += 1) remembered.add(token(index), claimsOf(`${index}`, metadata));
  expect(remembered.bytes).toBeLessThanOrEqual(67_108_864);
  expect(remembered.get(token(999), 0)?.claims.sub).toBe('999');
  expect(remembered.get(token(0), 0)).toBeUndefined();
  // A token that is gone is not reached by its names either.
  remembered.doubt('first');
  expect(first.epoch).toBe(0);
});

test('a token that is added again counts once', () => {
  const remembered = new RememberedTokens();
  remembered.add('token', claimsOf('one'));
  const once = remembered.bytes;
  remembered.add('token', claimsOf('one'));
  expect(remembered.bytes).toBe(once);
});

import { expect, test } from 'vitest';
import { describeTotp, makeTotpSecret, matchTotp } from './totp.ts';

/** RFC 6238, appendix B, for SHA-1; the last 6 of the 8 digits there. */
const RFC_SECRET = Buffer.from('12345678901234567890');

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
])('the code of RFC 6238 at %i s', (seconds, code) => {
  expect(matchTotp(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test('a code is valid one step early and one step late, and no further', () => {
  const [step, code] = [Math.floor(1_111_111_109 / 30), '081804'];
  const at = (distance: number) => matchTotp(RFC_SECRET, code, (step + distance) * 30_000);
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null]);
});

test.each(['', '08180', '0818040', '08180a', ' 081804', '٠٨١٨٠٤'])('%j is no code', (code) => {
  expect(matchTotp(RFC_SECRET, code, 1_111_111_109_000)).toBeNull();
});

test('the set-up URI is readable by authenticator apps, and its image is a valid data URL', () => {
  const secret = makeTotpSecret();
  const setup = describeTotp(secret, { issuer: 'Lost & Found', label: 'o#1@example.com' });
  const uri = new URL(setup.uri);
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Lost & Found:o#1@example.com');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Lost & Found',
    secret: setup.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(setup.qr_code).toMatch(/^<svg /);
  expect(setup.qr_code).not.toMatch(/[#%]/);
});

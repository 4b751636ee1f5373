import { expect, test } from 'vitest';
import { type CodePurpose, createOneTimeCodes } from './one-time-code.ts';

const purpose: CodePurpose = { userId: 'a', tokenType: 'confirmation', recipient: '+972501234567' };
const codes = createOneTimeCodes({ secret: 'a secret', developmentCode: null });

test('codes have six digits, leading zeros included, and are spread over all of them', () => {
  const made = Array.from({ length: 20_000 }, codes.make);
  for (const code of made) expect(code).toMatch(/^\d{6}$/);
  // 20,000 draws out of a million meet about 198 times; a narrower generator meets far more often.
  expect(made.length - new Set(made).size).toBeLessThan(300);
  const firsts = new Set(made.map((code) => code[0]));
  expect(firsts.size).toBe(10);
});

test('a stored code matches itself and nothing else', () => {
  const stored = codes.hash('012345', purpose);
  expect(codes.matches('012345', purpose, stored)).toBe(true);
  for (const wrong of ['012346', '12345', '', ' 012345', '0123450']) {
    expect(codes.matches(wrong, purpose, stored), wrong).toBe(false);
  }
  const others: Partial<CodePurpose>[] = [{ userId: 'b' }, { tokenType: 'sign_in' }, { recipient: 'a@example.com' }];
  for (const other of others) expect(codes.matches('012345', { ...purpose, ...other }, stored)).toBe(false);
});

test('what is stored says nothing without the secret of the server', () => {
  const elsewhere = createOneTimeCodes({ secret: 'another secret', developmentCode: null });
  expect(elsewhere.matches('012345', purpose, codes.hash('012345', purpose))).toBe(false);
});

test('the development code is accepted beside the real one, by a server that has one', () => {
  const development = createOneTimeCodes({ secret: 'a secret', developmentCode: '123456' });
  const stored = development.hash('012345', purpose);
  expect(development.matches('123456', purpose, stored)).toBe(true);
  expect(development.matches('012345', purpose, stored)).toBe(true);
  expect(development.matches('654321', purpose, stored)).toBe(false);
  expect(codes.matches('123456', purpose, stored)).toBe(false);
});

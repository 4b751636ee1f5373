import { expect, it } from 'vitest';
import { generatePassword } from './generate-password.ts';

const suggest = () => generatePassword((bytes) => crypto.getRandomValues(bytes));

it('has 16 characters with a letter, a digit and a symbol', () => {
  for (let round = 0; round < 2000; round += 1) {
    const password = suggest();
    expect(password).toHaveLength(16);
    expect(password).toMatch(/[A-Za-z]/);
    expect(password).toMatch(/[0-9]/);
    expect(password).toMatch(/[^A-Za-z0-9]/);
  }
});

it('is longer where the server requires it', () => {
  expect(generatePassword((bytes) => crypto.getRandomValues(bytes), 40)).toHaveLength(40);
});

it('does not repeat itself, and leaves out what is easily confused', () => {
  const passwords = Array.from({ length: 5000 }, suggest);
  expect(new Set(passwords).size).toBe(5000);
  expect(passwords.join('')).not.toMatch(/[01OIl]/);
});

it('draws again until every kind of character is present', () => {
  let call = 0;
  // 16 letters first; then letters with a digit and a symbol at the end.
  const drawn = [...Array(16).fill(0), ...Array(14).fill(0), 49, 57];
  expect(generatePassword((bytes) => bytes.fill(drawn[call++] ?? 0))).toBe('AAAAAAAAAAAAAA2!');
});

import { describe, expect, it } from 'vitest';
import { english } from '#domain/language.ts';
import {
  isOneTimeCode,
  normalizeEmail,
  PASSWORD_LENGTH,
  type RegistrationForm,
  validateNewPassword,
  validateProfile,
  validateRegistration,
  validateReset,
  validateSignIn,
} from './validate-credentials.ts';

const texts = (problems: Partial<Record<string, keyof typeof english.texts.validation>>) =>
  Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => {
      const text = problem && english.texts.validation[problem];
      return [field, typeof text === 'function' ? text(PASSWORD_LENGTH) : text];
    }),
  );
const validateAnyRegistration = (form: RegistrationForm) => validateRegistration(form, PASSWORD_LENGTH);

describe('validation', () => {
  it('names each missing field of a registration, as specified', () => {
    expect(texts(validateAnyRegistration({ fullName: '  ', email: ' ', phone: '\t', password: '' }))).toEqual({
      fullName: 'Full name is required',
      email: 'Email is required',
      phone: 'Phone number is required',
      password: 'Password is required',
    });
  });

  it('accepts a complete registration', () => {
    expect(validateAnyRegistration({ fullName: 'Maya', email: 'm@x.org', phone: '1', password: '123456' })).toEqual({});
  });

  it('requires a password of 6 visible characters', () => {
    expect(texts(validateSignIn({ email: 'a@b.c', password: '12345' }))).toEqual({
      password: 'Password must be at least 6 characters',
    });
    expect(validateSignIn({ email: 'a@b.c', password: '123456' })).toEqual({});
    expect(validateSignIn({ email: 'a@b.c', password: '😀😀😀' })).toEqual({ password: 'passwordTooShort' });
    expect(validateSignIn({ email: 'a@b.c', password: '      ' })).toEqual({});
  });

  it('requires of a new password what the server requires, and of an existing one only the shortest length', () => {
    const short = { password: 'eleven char' };
    expect(validateNewPassword(short, 12)).toEqual({ password: 'passwordTooShort' });
    expect(validateRegistration({ ...short, fullName: 'Maya', email: 'm@x.org', phone: '1' }, 12)).toEqual({
      password: 'passwordTooShort',
    });
    expect(validateNewPassword({ password: 'twelve chars' }, 12)).toEqual({});
    expect(validateSignIn({ ...short, email: 'a@b.c' })).toEqual({});
    expect(english.texts.validation.passwordTooShort(12)).toBe('Password must be at least 12 characters');
  });

  it('requires only the address for a reset', () => {
    expect(texts(validateReset({ email: '' }))).toEqual({ email: 'Email is required' });
    expect(validateReset({ email: 'a@b.c' })).toEqual({});
  });

  it('refuses a malformed address, as specified', () => {
    const refused =
      'Email address format is not accepted by our authentication provider. Please use a different email address with a common domain (like gmail.com, outlook.com, etc).';
    for (const email of [
      'nora',
      'nora@',
      '@example.com',
      'nora@example',
      'nora@example.',
      'a@b@example.com',
      'n a@b.c',
    ]) {
      const filled = { fullName: 'Nora', phone: '1', password: '123456', email };
      for (const validate of [validateAnyRegistration, validateSignIn, validateReset, validateProfile]) {
        expect(texts(validate(filled)), email).toEqual({ email: refused });
      }
    }
    expect(validateReset({ email: ' Nora.O’Hara+tag@münchen.example ' })).toEqual({});
  });

  it('trims and lowers an address', () => {
    expect(normalizeEmail('  Maya@Example.ORG\n')).toBe('maya@example.org');
  });

  it('accepts exactly 6 digits as a code', () => {
    for (const code of ['000000', '123456']) expect(isOneTimeCode(code)).toBe(true);
    for (const code of ['', '12345', '1234567', '12345a', '123 456', '１２３４５６', '123456\n']) {
      expect(isOneTimeCode(code)).toBe(false);
    }
  });
});

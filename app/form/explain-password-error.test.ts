import { AuthApiError, AuthWeakPasswordError } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import { english } from '#domain/language.ts';
import { signInTexts } from '#domain/texts/sign-in-texts.ts';
import { explainPasswordError } from './explain-auth-error.ts';

const texts = signInTexts(english);
const explain = (code: string, message = 'raw') =>
  explainPasswordError(new AuthApiError(message, 422, code), 'passwordFailed', texts);

it('says at the field why a password is weak, too long, or the one before', () => {
  const weak = new AuthWeakPasswordError('Too common.', 422, ['pwned']);
  expect(explainPasswordError(weak, 'registrationFailed', texts)).toEqual({ password: 'Too common.' });
  const tooLong = 'Password cannot be longer than 72 characters';
  expect(explain('validation_failed', tooLong)).toEqual({ password: tooLong });
  expect(explain('same_password')).toEqual({ password: texts.newPassword.same });
});

it('shows an error that is not about the password above the form', () => {
  expect(explain('validation_failed', 'User metadata is too large')).toBe(texts.authErrors.passwordFailed);
  expect(explain('over_request_rate_limit')).toBe(texts.authErrors.passwordFailed);
});

import { AuthApiError, AuthWeakPasswordError } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import { en } from '#domain/texts/en.ts';
import { explainPasswordError } from './explain-auth-error.ts';

const explain = (code: string, message = 'raw') =>
  explainPasswordError(new AuthApiError(message, 422, code), 'passwordFailed', en);

it('says at the field why a password is weak, too long, or the one before', () => {
  const weak = new AuthWeakPasswordError('Too common.', 422, ['pwned']);
  expect(explainPasswordError(weak, 'registrationFailed', en)).toEqual({ password: 'Too common.' });
  const tooLong = 'Password cannot be longer than 72 characters';
  expect(explain('validation_failed', tooLong)).toEqual({ password: tooLong });
  expect(explain('same_password')).toEqual({ password: en.newPassword.same });
});

it('shows an error that is not about the password above the form', () => {
  expect(explain('validation_failed', 'User metadata is too large')).toBe(en.authErrors.passwordFailed);
  expect(explain('over_request_rate_limit')).toBe(en.authErrors.passwordFailed);
});

import { AuthApiError, AuthRetryableFetchError } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import { english } from '#domain/language.ts';
import { explainAddressError, explainAuthError, secondsOfGap } from './explain-auth-error.ts';

it.each([
  ['email_address_invalid', 400, english.texts.authErrors.emailNotAccepted],
  ['user_already_exists', 422, english.texts.authErrors.accountExists],
  ['over_sms_send_rate_limit', 429, english.texts.authErrors.tooManyAttempts],
  ['sms_held_back', 429, english.texts.authErrors.smsHeldBack],
  ['phone_not_supported', 422, english.texts.authErrors.phoneNotSupported],
  ['something_new', 429, english.texts.authErrors.tooManyAttempts],
  ['otp_expired', 403, english.texts.authErrors.invalidCode],
  ['invalid_credentials', 400, english.texts.authErrors.loginFailed],
  [undefined, 500, english.texts.authErrors.loginFailed],
  ['constructor', 400, english.texts.authErrors.loginFailed],
])('says of %s (%i): %s', (code, status, text) => {
  expect(explainAuthError(new AuthApiError('raw', status, code), 'loginFailed', english.texts.authErrors)).toBe(text);
});

it.each(['over_email_send_rate_limit', 'over_sms_send_rate_limit'])('says in how many seconds %s ends', (code) => {
  const error = new AuthApiError('For security purposes, you can only request this after 42 seconds.', 429, code);
  expect(secondsOfGap(error)).toBe(42);
  expect(explainAuthError(error, 'loginFailed', english.texts.authErrors)).toBe(
    english.texts.authErrors.askedRecently(42),
  );
});

it('reports an unreachable server when no response arrived', () => {
  expect(explainAuthError(new AuthRetryableFetchError('raw', 0), 'registrationFailed', english.texts.authErrors)).toBe(
    english.texts.authErrors.unreachable,
  );
});

it.each([502, 503, 504])('blames neither the connection nor the input for a failure of the service (%i)', (status) => {
  const explain = (fallback: 'registrationFailed' | 'loginFailed') =>
    explainAuthError(new AuthRetryableFetchError('raw', status), fallback, english.texts.authErrors);
  expect(explain('registrationFailed')).toBe('Registration failed. Please try again.');
  expect(explain('loginFailed')).toBe(english.texts.authErrors.unavailable);
});

it('does not blame the connection for a feature that the service does not offer', () => {
  expect(explainAuthError(new AuthRetryableFetchError('raw', 501), 'resetFailed', english.texts.authErrors)).toBe(
    english.texts.authErrors.resetFailed,
  );
});

it.each([
  ['email_address_invalid', 'raw', true],
  ['email_exists', 'raw', true],
  ['validation_failed', 'Unable to validate email address: invalid format', true],
  ['validation_failed', 'User metadata is too large', false],
  ['invalid_credentials', 'raw', false],
])('says at the field whether %s (%s) is about the address: %s', (code, message, isIt) => {
  const error = new AuthApiError(message, 400, code);
  const sentence = explainAuthError(error, 'resetFailed', english.texts.authErrors);
  expect(explainAddressError(error, 'resetFailed', english.texts.authErrors)).toEqual(
    isIt ? { email: sentence } : sentence,
  );
});

it('knows a malformed address by its message', () => {
  const explain = (message: string) =>
    explainAuthError(
      new AuthApiError(message, 400, 'validation_failed'),
      'registrationFailed',
      english.texts.authErrors,
    );
  expect(explain('Unable to validate email address: invalid format')).toBe(english.texts.authErrors.emailNotAccepted);
  expect(explain('User metadata is too large')).toBe(english.texts.authErrors.registrationFailed);
});

import { AuthApiError, AuthRetryableFetchError } from '@supabase/supabase-js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { english } from '#domain/language.ts';
import { signInTexts } from '#domain/texts/sign-in-texts.ts';
import { explainAppCodeError, explainTextedCodeError } from './explain-factor-error.ts';
import { codeInGap, explainCodeError, type SentCode, stateOfCode } from './sent-code.ts';

const texts = signInTexts(english);
const { authErrors, secondFactor } = texts;
const LIFE = 600;
const ago = (seconds: number) => Date.now() - seconds * 1000;
const explain = (error: AuthApiError | AuthRetryableFetchError, sent: SentCode) =>
  explainCodeError(error, sent, LIFE, english);

it.each([
  ['open', { sentAt: 0, wrongCodes: 4 }, 599_999],
  ['usedUp', { sentAt: 0, wrongCodes: 5 }, 599_999],
  ['expired', { sentAt: 0, wrongCodes: 0 }, 600_000],
  ['expired', { sentAt: 0, wrongCodes: 5 }, 600_000],
  ['open', { sentAt: null, wrongCodes: 4 }, 600_000],
  ['usedUp', { sentAt: null, wrongCodes: 5 }, 600_000],
])('is %s: %j at %i', (state, sent, now) => {
  expect(stateOfCode(sent, LIFE, now)).toBe(state);
});

it.each([
  ['the known one', { sentAt: 0, wrongCodes: 3 }, { sentAt: 0, wrongCodes: 3 }],
  ['one that was requested elsewhere since', { sentAt: -300_000, wrongCodes: 3 }, { sentAt: -1_500, wrongCodes: 0 }],
  ['another one where none is known', { sentAt: null, wrongCodes: 3 }, { sentAt: -1_500, wrongCodes: 0 }],
])('takes the code of the gap for %s', (_, known, newest) => {
  vi.useFakeTimers({ now: 500 });
  onTestFinished(() => void vi.useRealTimers());
  expect(codeInGap(known, 58, 60)).toEqual(newest);
});

it.each([
  ['otp_expired', 403],
  ['reauthentication_not_valid', 422],
])('says what to do about a code that is refused with %s', (code, status) => {
  const error = new AuthApiError('raw', status, code);
  const advice = 'Use the code from our newest message. A code works once, for 10 minutes. Resend it to get a new one.';
  expect(explain(error, { sentAt: ago(30), wrongCodes: 1 })).toEqual({ text: authErrors.invalidCode, advice });
  expect(explain(error, { sentAt: null, wrongCodes: 1 })).toEqual({ text: authErrors.invalidCode, advice });
  const spent = 'Invalid verification code. After 5 wrong tries a code stops working. Resend it to get a new one.';
  expect(explain(error, { sentAt: ago(30), wrongCodes: 5 })).toEqual({ text: spent, advice: null });
  const expired =
    'Invalid verification code. A code works for 10 minutes, and this one has expired. Resend it to get a new one.';
  expect(explain(error, { sentAt: ago(LIFE), wrongCodes: 5 })).toEqual({ text: expired, advice: null });
});

it('does not blame a code that was not checked', () => {
  const old = { sentAt: ago(LIFE), wrongCodes: 5 };
  const textOf = (error: AuthApiError | AuthRetryableFetchError) => explain(error, old);
  expect(textOf(new AuthApiError('raw', 500, 'unexpected_failure'))).toEqual({
    text: authErrors.codeNotChecked,
    advice: null,
  });
  expect(textOf(new AuthRetryableFetchError('raw', 503)).text).toBe(authErrors.codeNotChecked);
  expect(textOf(new AuthRetryableFetchError('raw', 0)).text).toBe(authErrors.unreachable);
  expect(textOf(new AuthApiError('raw', 429, 'over_request_rate_limit')).text).toBe(authErrors.tooManyAttempts);
});

it.each([
  ['mfa_verification_failed', 422, 4, secondFactor.invalidCodePhone],
  ['mfa_verification_failed', 422, 5, secondFactor.textedCodeOver],
  ['mfa_challenge_expired', 422, 1, secondFactor.textedCodeOver],
  ['mfa_factor_not_found', 422, 1, secondFactor.textedCodeOver],
  ['mfa_factor_not_found', 404, 1, authErrors.codeNotChecked],
  ['unexpected_failure', 500, 5, authErrors.codeNotChecked],
  ['over_request_rate_limit', 429, 5, authErrors.tooManyAttempts],
])('says of %s (%i) for attempt %i at a texted second factor: %s', (code, status, attempt, text) => {
  expect(explainTextedCodeError(new AuthApiError('raw', status, code), attempt, texts)).toBe(text);
});

it.each([
  ['mfa_verification_failed', 422, secondFactor.invalidCode],
  ['unexpected_failure', 500, authErrors.codeNotChecked],
])('says of %s (%i) for the code of an app: %s', (code, status, text) => {
  expect(explainAppCodeError(new AuthApiError('raw', status, code), texts)).toBe(text);
});

import type { AuthError } from '@supabase/supabase-js';
import { explainAuthError } from '#app/form/explain-auth-error.ts';
import { ONE_TIME_CODE_TRIES } from '#domain/account/validate-credentials.ts';
import type { SignInTexts } from '#domain/texts/sign-in-texts.ts';

/** Explains why the code of an authenticator app was refused: wrong, or not checked. */
export function explainAppCodeError(
  error: AuthError,
  { authErrors, secondFactor }: Pick<SignInTexts, 'authErrors' | 'secondFactor'>,
): string {
  return error.code === 'mfa_verification_failed'
    ? secondFactor.invalidCode
    : explainAuthError(error, 'codeNotChecked', authErrors);
}

/**
 * Explains why a texted code of a second factor was refused: wrong, expired, used up by `wrongCodes` attempts (this one
 * included), or not checked.
 */
export function explainTextedCodeError(
  error: AuthError,
  wrongCodes: number,
  { authErrors, secondFactor }: Pick<SignInTexts, 'authErrors' | 'secondFactor'>,
): string {
  const { code, status } = error;
  const isWrong = code === 'mfa_verification_failed';
  // Its challenge has expired, or is gone: a missing factor would be a 404.
  const isGone = code === 'mfa_challenge_expired' || (code === 'mfa_factor_not_found' && status === 422);
  if (isGone || (isWrong && wrongCodes >= ONE_TIME_CODE_TRIES)) return secondFactor.textedCodeOver;
  return isWrong ? secondFactor.invalidCodePhone : explainAuthError(error, 'codeNotChecked', authErrors);
}

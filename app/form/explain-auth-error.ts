import type { AuthError } from '@supabase/supabase-js';
import type { SignInTexts } from '#domain/texts/sign-in-texts.ts';

type AuthErrorTexts = SignInTexts['authErrors'];

/** The sentences that need no figure. */
type AuthErrorText = {
  [Name in keyof AuthErrorTexts]: AuthErrorTexts[Name] extends string ? Name : never;
}[keyof AuthErrorTexts];

const BY_CODE: ReadonlyMap<string | undefined, AuthErrorText> = new Map([
  ['email_address_invalid', 'emailNotAccepted'],
  ['email_address_not_authorized', 'emailNotAccepted'],
  ['email_exists', 'accountExists'],
  ['user_already_exists', 'accountExists'],
  ['otp_expired', 'invalidCode'],
  ['reauthentication_not_valid', 'invalidCode'],
  ['phone_not_supported', 'phoneNotSupported'],
  ['sms_held_back', 'smsHeldBack'],
]);

/** The service is unavailable, or a gateway responded in its place. The connection is not the cause. */
const UNAVAILABLE: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Fallbacks that blame the input, which a failing service has not checked. */
const BLAMES_INPUT: ReadonlySet<AuthErrorText> = new Set(['loginFailed']);

/** Returns the message for an error of the auth service: the catalogue's for a known code, else the fallback. */
export function explainAuthError(error: AuthError, fallback: AuthErrorText, texts: AuthErrorTexts): string {
  if (error.status === 0) return texts.unreachable;
  if (UNAVAILABLE.has(error.status)) return texts[BLAMES_INPUT.has(fallback) ? 'unavailable' : fallback];
  const gap = explainGap(error, texts);
  if (gap !== null) return gap;
  // Of the other limits only what names another way has a sentence of its own.
  if (error.status === 429 && error.code !== 'sms_held_back') return texts.tooManyAttempts;
  return texts[textOf(error) ?? fallback];
}

/**
 * Returns in how many seconds another message may be requested, if the request came too soon after an earlier one, else
 * null. The seconds are only in the message: the client does not expose the headers of an error.
 */
export function secondsOfGap({ code, message }: AuthError): number | null {
  if (code !== 'over_email_send_rate_limit' && code !== 'over_sms_send_rate_limit') return null;
  const seconds = /after (\d+) seconds/.exec(message)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** Returns the message for a request that came too soon after an earlier one, else null. */
export function explainGap(error: AuthError, texts: AuthErrorTexts): string | null {
  const seconds = secondsOfGap(error);
  return seconds === null ? null : texts.askedRecently(seconds);
}

/**
 * Returns the message for an error of the auth service in a form with an email address: for its `email` field where the
 * address itself is refused, else for the whole form.
 */
export function explainAddressError(
  error: AuthError,
  fallback: AuthErrorText,
  texts: AuthErrorTexts,
): string | { readonly email: string } {
  const sentence = explainAuthError(error, fallback, texts);
  return refusesAddress(error) ? { email: sentence } : sentence;
}

function refusesAddress(error: AuthError): boolean {
  const text = textOf(error);
  return text === 'emailNotAccepted' || text === 'accountExists';
}

function textOf({ code, message }: AuthError): AuthErrorText | undefined {
  // All malformed fields share one error code; only the message tells which field it was.
  const isMalformedAddress = code === 'validation_failed' && message.startsWith('Unable to validate email address');
  return isMalformedAddress ? 'emailNotAccepted' : BY_CODE.get(code);
}

/**
 * Returns the texts for an error on setting a password: for the `password` field if the password was refused, otherwise
 * for the whole form. The reason for a refusal is the service's own message, because only the service knows its rules.
 */
export function explainPasswordError(
  error: AuthError,
  fallback: 'registrationFailed' | 'passwordFailed',
  { authErrors, newPassword }: Pick<SignInTexts, 'authErrors' | 'newPassword'>,
): string | { readonly password: string } {
  if (error.code === 'same_password') return { password: newPassword.same };
  // Every malformed field has the same code; only the message says which field it is (docs/protocol/auth.md).
  const isRefused = error.code === 'validation_failed' && error.message.startsWith('Password');
  if (error.code === 'weak_password' || isRefused) return { password: error.message };
  return explainAuthError(error, fallback, authErrors);
}

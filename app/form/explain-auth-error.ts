import type { AuthError } from '@supabase/supabase-js';
import type { Messages } from '#domain/messages/en.ts';

type AuthErrorText = keyof Messages['authErrors'];

const BY_CODE: ReadonlyMap<string | undefined, AuthErrorText> = new Map([
  ['email_address_invalid', 'emailNotAccepted'],
  ['email_address_not_authorized', 'emailNotAccepted'],
  ['email_exists', 'accountExists'],
  ['user_already_exists', 'accountExists'],
  ['otp_expired', 'invalidCode'],
]);

/** The service could not do it just now, or a gateway answered in its place: the connection is not at fault. */
const UNAVAILABLE: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Fallbacks that blame what was typed, which the service has not looked at where it failed. */
const BLAMES_INPUT: ReadonlySet<AuthErrorText> = new Set(['loginFailed']);

/** The sentence for an error of the auth service: one from the catalogue where the code is known, else the fallback. */
export function explainAuthError(error: AuthError, fallback: AuthErrorText, texts: Messages['authErrors']): string {
  if (error.status === 0) return texts.unreachable;
  if (UNAVAILABLE.has(error.status)) return texts[BLAMES_INPUT.has(fallback) ? 'unavailable' : fallback];
  if (error.status === 429) return texts.tooManyAttempts;
  return texts[textOf(error) ?? fallback];
}

/**
 * What a form that takes an e-mail address has to say of an error of the auth service: a sentence for its `email` field
 * where the address itself is refused, else one for the whole form.
 */
export function explainAddressError(
  error: AuthError,
  fallback: AuthErrorText,
  texts: Messages['authErrors'],
): string | { readonly email: string } {
  const sentence = explainAuthError(error, fallback, texts);
  return refusesAddress(error) ? { email: sentence } : sentence;
}

function refusesAddress(error: AuthError): boolean {
  const text = textOf(error);
  return text === 'emailNotAccepted' || text === 'accountExists';
}

function textOf({ code, message }: AuthError): AuthErrorText | undefined {
  // One code for everything malformed: what it is stands in the message alone (contract of the auth service).
  const isMalformedAddress = code === 'validation_failed' && message.startsWith('Unable to validate email address');
  return isMalformedAddress ? 'emailNotAccepted' : BY_CODE.get(code);
}

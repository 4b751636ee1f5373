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

/** No answer at all, or a gateway's in the place of the service's. */
const UNREACHABLE: ReadonlySet<number | undefined> = new Set([0, 502, 503, 504]);

/**
 * The sentence for an error of the auth service: one from the catalogue where the code is known, else the fallback.
 * A password that it refuses is the one case in which the service's own words are shown: only it knows its reasons.
 */
export function explainAuthError(error: AuthError, fallback: AuthErrorText, texts: Messages['authErrors']): string {
  if (UNREACHABLE.has(error.status)) return texts.unreachable;
  if (error.code === 'weak_password') return error.message;
  // One code for everything malformed: what it is stands in the message alone (contract of the auth service).
  if (error.code === 'validation_failed') {
    if (error.message.startsWith('Unable to validate email address')) return texts.emailNotAccepted;
    if (error.message.startsWith('Password')) return error.message;
  }
  if (error.status === 429) return texts.tooManyAttempts;
  return texts[BY_CODE.get(error.code) ?? fallback];
}

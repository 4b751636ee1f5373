import type { AuthError } from '@supabase/supabase-js';
import type { Messages } from '#domain/messages/en.ts';
import { explainAuthError } from './explain-auth-error.ts';

/**
 * What a form that sets a password has to say of an error of the auth service: a sentence for its `password` field where
 * the password itself is refused, else one for the whole form. Why a password is refused is said in the service's own
 * words: only it knows its reasons.
 */
export function explainPasswordError(
  error: AuthError,
  fallback: 'registrationFailed' | 'passwordFailed',
  { authErrors, newPassword }: Pick<Messages, 'authErrors' | 'newPassword'>,
): string | { readonly password: string } {
  if (error.code === 'same_password') return { password: newPassword.same };
  // What is malformed has one code, and what it is stands in the message alone (contract of the auth service).
  const isRefused = error.code === 'validation_failed' && error.message.startsWith('Password');
  if (error.code === 'weak_password' || isRefused) return { password: error.message };
  return explainAuthError(error, fallback, authErrors);
}

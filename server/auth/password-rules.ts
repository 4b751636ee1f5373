import { countCharacters } from '#domain/count-characters.ts';
import { PASSWORD_LENGTH } from '#domain/validate-credentials.ts';
import { AuthError } from './auth-error.ts';

/** In UTF-8. The wire contract's bound; nothing is ever cut off. */
const LONGEST_PASSWORD_BYTES = 72;

/** Throws `passwordTooLong` or `passwordTooShort` for a password that a new account, or a changed one, may not have. */
export function requireAcceptablePassword(password: string): void {
  if (isTooLong(password)) throw new AuthError('passwordTooLong');
  if (countCharacters(password) < PASSWORD_LENGTH) {
    throw new AuthError('passwordTooShort', { weakPasswordReasons: ['length'] });
  }
}

/** No account has such a password, so there is nothing to hash. */
export function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > LONGEST_PASSWORD_BYTES;
}

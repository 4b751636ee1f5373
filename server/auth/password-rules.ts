import { countCharacters } from '#domain/count-characters.ts';
import type { Config } from '#server/config.ts';
import { AuthError, type Refusal } from './auth-error.ts';
import { isCommonPassword } from './common-passwords.ts';

/** In UTF-8. The wire contract's bound; nothing is ever cut off. */
const LONGEST_PASSWORD_BYTES = 72;

type PasswordRules = Pick<Config, 'passwordLength'>;

/** Why a password is weak, in the words that clients know. */
interface Weakness {
  readonly refusal: Refusal;
  /** Of a password that has fewer characters. */
  readonly leastLength?: number;
  readonly reasons: readonly ('length' | 'pwned')[];
}

/**
 * Throws `passwordTooLong`, `passwordTooShort` or `passwordCommon` for a password that a new account, or a changed
 * one, may not have; before anything is hashed.
 */
export function requireAcceptablePassword(rules: PasswordRules, password: string): void {
  if (isTooLong(password)) throw new AuthError('passwordTooLong');
  const weakness = weaknessOf(rules, password);
  if (weakness !== null) throw describeWeakness(weakness);
}

/** The weakness in the words that clients know. */
export function describeWeakness({ refusal, reasons, leastLength }: Weakness): AuthError {
  return new AuthError(refusal, {
    weakPasswordReasons: reasons,
    ...(leastLength !== undefined && { detail: leastLength }),
  });
}

/** No account has such a password, so there is nothing to hash. */
export function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > LONGEST_PASSWORD_BYTES;
}

/** What makes a password weak by the rules of today, which one that was chosen earlier may not fit; null for none. */
export function weaknessOf({ passwordLength }: PasswordRules, password: string): Weakness | null {
  if (countCharacters(password.normalize('NFKC')) < passwordLength) {
    return { refusal: 'passwordTooShort', reasons: ['length'], leastLength: passwordLength };
  }
  return isCommonPassword(password) ? { refusal: 'passwordCommon', reasons: ['pwned'] } : null;
}

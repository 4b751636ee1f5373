import { plainTyped } from '#domain/plain-typed.ts';
import { CROCKFORD, fiveBitValues, readLookAlikes } from '../crockford.ts';

/** How many letters a return code has, each worth five bits. */
export const RETURN_CODE_LENGTH = 8;

/** Returns the return code of the first 40 bits. */
export function makeReturnCode(bytes: Uint8Array): string {
  return fiveBitValues(bytes, RETURN_CODE_LENGTH)
    .map((value) => CROCKFORD.charAt(value))
    .join('');
}

/**
 * Returns a typed return code as it was made, or null where it cannot be one. Case, spaces, hyphens, and the keyboard are as one
 * likes, and letters that look like digits are those digits.
 *
 * @example
 * readReturnCode('7kq4-m2xp'); // '7KQ4M2XP'
 */
export function readReturnCode(typed: string): string | null {
  const code = readLookAlikes(
    plainTyped(typed)
      .toUpperCase()
      .replace(/[\s\p{Pd}]/gu, '')
      // The marks around it in a sentence.
      .replace(/^[^\p{Letter}\p{Number}]+|[^\p{Letter}\p{Number}]+$/gu, ''),
  );
  return code.length === RETURN_CODE_LENGTH && [...code].every((letter) => CROCKFORD.includes(letter)) ? code : null;
}

/** Returns the code in two groups, as it is easier to read and to say. */
export function showReturnCode(code: string): string {
  return `${code.slice(0, RETURN_CODE_LENGTH / 2)} ${code.slice(RETURN_CODE_LENGTH / 2)}`;
}

/** Crockford's 32 letters: none looks like another, and none has to be told apart by its case. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** How many letters a return code has, each worth five bits. */
export const RETURN_CODE_LENGTH = 8;

/** Returns the return code of the first 40 bits. */
export function makeReturnCode(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes.subarray(0, 5)) bits = (bits << 8n) | BigInt(byte);
  let code = '';
  for (let place = 0; place < RETURN_CODE_LENGTH; place += 1) {
    code = LETTERS.charAt(Number(bits & 31n)) + code;
    bits >>= 5n;
  }
  return code;
}

/**
 * Returns a typed return code as it was made, or null where it cannot be one. Case, spaces, and hyphens are as one
 * likes, and letters that look like digits are those digits.
 *
 * @example
 * readReturnCode('7kq4-m2xp'); // '7KQ4M2XP'
 */
export function readReturnCode(typed: string): string | null {
  const code = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return code.length === RETURN_CODE_LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}

/** Returns the code in two groups, as it is easier to read and to say. */
export function showReturnCode(code: string): string {
  return `${code.slice(0, RETURN_CODE_LENGTH / 2)} ${code.slice(RETURN_CODE_LENGTH / 2)}`;
}

import type { FillRandom } from '#domain/tag-code/tag-code.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS = '23456789';
const SYMBOLS = '!#$%&*+-=?@_';
const ALL = LETTERS + DIGITS + SYMBOLS;
const LENGTH = 16;

/**
 * Returns a random password of 16 characters, or of `leastLength` if that is more, with at least one letter, digit and
 * symbol, without easily confused ones.
 */
export function generatePassword(fillRandom: FillRandom, leastLength = 0): string {
  for (;;) {
    const password = Array.from({ length: Math.max(LENGTH, leastLength) }, () => pick(ALL, fillRandom)).join('');
    // Drawing again, instead of inserting a missing kind, keeps all valid passwords equally likely.
    if ([LETTERS, DIGITS, SYMBOLS].every((kind) => Array.from(password).some((letter) => kind.includes(letter)))) {
      return password;
    }
  }
}

function pick(alphabet: string, fillRandom: FillRandom): string {
  // Bytes beyond the last whole multiple would favor the first letters.
  const fair = 256 - (256 % alphabet.length);
  for (;;) {
    const byte = fillRandom(new Uint8Array(1))[0] ?? fair;
    if (byte < fair) return alphabet.charAt(byte % alphabet.length);
  }
}

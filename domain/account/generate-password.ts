import type { FillRandom } from './tag-code.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS = '23456789';
const SYMBOLS = '!#$%&*+-=?@_';
const ALL = LETTERS + DIGITS + SYMBOLS;
const LENGTH = 16;

/** A password to suggest: 16 characters with at least one letter, one digit and one symbol, none easily confused. */
export function generatePassword(fillRandom: FillRandom): string {
  for (;;) {
    const password = Array.from({ length: LENGTH }, () => pick(ALL, fillRandom)).join('');
    // Drawing anew, rather than putting a missing kind in somewhere, keeps every valid password equally likely.
    if ([LETTERS, DIGITS, SYMBOLS].every((kind) => Array.from(password).some((letter) => kind.includes(letter)))) {
      return password;
    }
  }
}

function pick(alphabet: string, fillRandom: FillRandom): string {
  // Bytes past the last whole multiple would favour the first letters.
  const fair = 256 - (256 % alphabet.length);
  for (;;) {
    const byte = fillRandom(new Uint8Array(1))[0] ?? fair;
    if (byte < fair) return alphabet.charAt(byte % alphabet.length);
  }
}

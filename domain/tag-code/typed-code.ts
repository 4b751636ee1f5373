import { plainTyped } from '#domain/plain-typed.ts';
import { CROCKFORD, readLookAlikes } from '../crockford.ts';

/** The characters of a typed code, the check character included. 15 × 5 = 75 bits are the code's own. */
export const TYPED_CODE_LENGTH = 16;
const GROUP = 4;

/** The powers of the generator of GF(32) with x⁵ + x² + 1, and the exponent of each value. */
const POWERS = powersOfGenerator();
const EXPONENTS = Array.from({ length: 32 }, (_, value) => POWERS.indexOf(value));

/** What a person typed, read as a typed code. */
export type TypedCodeReading =
  /** With hyphens between its groups. */
  { readonly ok: true; readonly typedCode: string } | { readonly ok: false; readonly problem: TypedCodeProblem };

export type TypedCodeProblem =
  | { readonly kind: 'empty' }
  /** A character that no code has, in capitals. */
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'too-short' | 'too-long'; readonly characters: number }
  /** It has the form of a code, and at least one character is wrong. */
  | { readonly kind: 'mistyped' };

/**
 * Reads a typed code. Case, spaces, hyphens, and look-alikes do not matter. The check character detects every single
 * wrong character and every swap of two characters.
 *
 * @example
 * readTypedCode('3dt6 yoe3 txx7 ggad'); // { ok: true, typedCode: '3DT6-Y0E3-TXX7-GGAD' }
 * readTypedCode('3DT6-Y0E3'); // { ok: false, problem: { kind: 'too-short', characters: 8 } }
 */
export function readTypedCode(text: string): TypedCodeReading {
  const compact = readLookAlikes(
    plainTyped(text)
      .toUpperCase()
      .replace(/[\s\p{Dash_Punctuation}]/gu, '')
      // The mark after it in a sentence.
      .replace(/[^\p{Letter}\p{Number}]+$/u, ''),
  );
  if (compact === '') return { ok: false, problem: { kind: 'empty' } };
  const values: number[] = [];
  for (const character of compact) {
    const value = CROCKFORD.indexOf(character);
    if (value < 0) return { ok: false, problem: { kind: 'character', character } };
    values.push(value);
  }
  if (values.length !== TYPED_CODE_LENGTH) {
    const kind = values.length < TYPED_CODE_LENGTH ? 'too-short' : 'too-long';
    return { ok: false, problem: { kind, characters: values.length } };
  }
  if (checkOf(values.slice(0, -1)) !== values.at(-1)) return { ok: false, problem: { kind: 'mistyped' } };
  return { ok: true, typedCode: format(compact) };
}

/** Returns the typed code of 15 values from 0 to 31: their characters and the check character, in groups. */
export function writeTypedCode(values: readonly number[]): string {
  let characters = '';
  for (const value of values) characters += CROCKFORD.charAt(value);
  return format(characters + CROCKFORD.charAt(checkOf(values)));
}

function format(characters: string): string {
  let groups = characters.slice(0, GROUP);
  for (let at = GROUP; at < characters.length; at += GROUP) groups += `-${characters.slice(at, at + GROUP)}`;
  return groups;
}

/**
 * The sum in GF(32) of all values, each times a weight of its own. A wrong value changes the sum, because no weight is
 * zero; a swap changes it, because the weights differ. The check character's own weight is one.
 */
function checkOf(values: readonly number[]): number {
  return values.reduce((sum, value, index) => sum ^ timesPower(value, index + 1), 0);
}

function timesPower(value: number, exponent: number): number {
  return value === 0 ? 0 : (POWERS[((EXPONENTS[value] ?? 0) + exponent) % POWERS.length] ?? 0);
}

function powersOfGenerator(): readonly number[] {
  const powers: number[] = [];
  for (let power = 1; powers.length < 31; power = power & 16 ? (power << 1) ^ 0b100101 : power << 1) powers.push(power);
  return powers;
}

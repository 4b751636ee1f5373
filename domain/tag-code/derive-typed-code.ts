import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { TYPED_CODE_LENGTH, writeTypedCode } from './typed-code.ts';

/** Separates the input from other uses of the same hash. The database has the same text (`internal.typed_code_of`). */
const DERIVATION = 'typed code:';

/**
 * Returns the typed code of a tag code: what a person can read aloud and type where the sticker cannot be scanned. It is
 * derived, so a sticker's printed code stays right for as long as its tag code exists. The tag code cannot be derived
 * from it.
 *
 * @example typedCodeOf('tgt-my-very-first-sticker'); // '3DT6-Y0E3-TXX7-GGAD'
 */
export function typedCodeOf(tagCode: string): string {
  const digest = sha256(utf8ToBytes(DERIVATION + tagCode));
  let bits = 0n;
  for (const byte of digest.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte);
  bits >>= 5n;
  const values = Array.from({ length: TYPED_CODE_LENGTH - 1 }, (_, index) =>
    Number((bits >> BigInt(5 * (TYPED_CODE_LENGTH - 2 - index))) & 31n),
  );
  return writeTypedCode(values);
}

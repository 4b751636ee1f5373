import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { fiveBitValues } from '../crockford.ts';
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
  return writeTypedCode(fiveBitValues(digest, TYPED_CODE_LENGTH - 1));
}

import { plainTyped } from '#domain/plain-typed.ts';
import { ONE_TIME_CODE_LENGTH } from './validate-credentials.ts';

const LENGTH = String(ONE_TIME_CODE_LENGTH);
/** So many digits with no other digit beside them. */
const CODE = new RegExp(`(?<![0-9])[0-9]{${LENGTH}}(?![0-9])`);
/** The same in two halves, as some mails and programs show a code. */
const HALVES = /(?<![0-9])([0-9]{3})[\s\p{Dash_Punctuation}]([0-9]{3})(?![0-9])/u;

/**
 * Returns the digits of a code that a person typed or pasted, also of a whole message with other numbers, from any
 * keyboard. A code that is incomplete has fewer digits.
 *
 * @example
 * readOneTimeCode('Reunite 2026: your code is 868296'); // '868296'
 * readOneTimeCode('٤٠٧'); // '407'
 */
export function readOneTimeCode(text: string): string {
  const plain = plainTyped(text);
  const [code] = CODE.exec(plain) ?? [];
  if (code !== undefined) return code;
  const [, first, second] = HALVES.exec(plain) ?? [];
  return first !== undefined && second !== undefined ? first + second : plain.replaceAll(/[^0-9]/g, '');
}

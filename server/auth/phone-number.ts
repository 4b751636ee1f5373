import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { AuthError } from './auth-error.ts';

/**
 * The number in E.164 with the plus. Throws `phoneMalformed` where the text is no international number of a length
 * that its country has. Length alone: number plans change, and a real owner must not be turned away for it.
 */
export function requirePhoneNumber(text: string): string {
  const number = /^\s*\+/.test(text) ? parsePhoneNumberFromString(text) : undefined;
  if (number === undefined || !number.isPossible()) throw new AuthError('phoneMalformed');
  return number.number;
}

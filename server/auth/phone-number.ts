import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isE164 } from '#domain/is-e164.ts';
import { AuthError } from './auth-error.ts';

/**
 * The number in E.164 with the plus. Throws `phoneMalformed` where the text is no international number of a length
 * that its country has. Length alone: number plans change, and a real owner must not be turned away for it.
 */
export function requirePhoneNumber(text: string): string {
  const number = /^\s*\+/.test(text) ? parsePhoneNumberFromString(text) : undefined;
  if (number === undefined || !number.isPossible() || !isE164(number.number)) throw new AuthError('phoneMalformed');
  return number.number;
}

/** The same for a number that may come without its plus, as the protocol takes it. */
export function requirePhoneDigits(text: string): string {
  return requirePhoneNumber(`+${text.replace(/[+\s]/g, '')}`);
}

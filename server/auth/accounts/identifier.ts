import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isE164 } from '#domain/account/is-e164.ts';
import { plainTyped } from '#domain/plain-typed.ts';
import { readEmailAddress } from '#server/delivery/email/email-address.ts';
import { AuthError } from '../wire/auth-error.ts';

/**
 * Returns the normalized address. Throws `emailMalformed` for an invalid address and `emailNotAccepted` where the
 * operator's denylist has its domain or a parent domain.
 */
export function requireAcceptableAddress(text: string, denylist: readonly string[]): string {
  const { address, problem } = readEmailAddress(text, denylist);
  if (problem === 'malformed') throw new AuthError('emailMalformed');
  if (problem === 'denied') throw new AuthError('emailNotAccepted', { detail: JSON.stringify(address) });
  return address;
}

/**
 * Returns the number in E.164 with the plus. Throws `phoneMalformed` where it is not an international number of a
 * length its country uses.
 *
 * Only the length is checked: numbering plans change, and a valid new number must not be rejected.
 */
export function requirePhoneNumber(text: string): string {
  const plain = plainTyped(text);
  const number = /^\s*\+/.test(plain) ? parsePhoneNumberFromString(plain) : undefined;
  if (number === undefined || !number.isPossible() || !isE164(number.number)) throw new AuthError('phoneMalformed');
  return number.number;
}

/** The same for a number that may lack its plus, which the protocol allows. */
export function requirePhoneDigits(text: string): string {
  return requirePhoneNumber(`+${typedDigits(text)}`);
}

/** Returns a typed number without its plus and spaces. Nothing else is checked. */
export function typedDigits(text: string): string {
  return plainTyped(text).replace(/[+\s]/g, '');
}

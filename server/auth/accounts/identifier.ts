import { domainToASCII } from 'node:url';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isE164 } from '#domain/account/is-e164.ts';
import { isOfDeniedDomain } from '#server/delivery/is-denied-domain.ts';
import { AuthError } from '../wire/auth-error.ts';

/** RFC 5321 section 4.5.3.1.3, without the angle brackets. */
const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

/** The HTML Standard's "valid e-mail address", with a domain of at least two labels whose last label is not numeric. */
const WELL_FORMED =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns the one form in which an address is stored and compared: trimmed, ASCII letters in lower case, the domain in
 * Punycode.
 *
 * Non-ASCII letters in the local part are kept, so that no two distinct addresses become equal.
 */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  return toAsciiLowerCase(trimmed.slice(0, at + 1)) + toAsciiDomain(trimmed.slice(at + 1));
}

/** Text that is not a domain is returned unchanged: `domainToASCII` would cut "example.com/x" down to "example.com". */
function toAsciiDomain(domain: string): string {
  const lower = toAsciiLowerCase(domain);
  return /[^\w.-]/.test(lower.replace(/[^ -~]/g, '')) ? lower : domainToASCII(lower) || lower;
}

/** `toLowerCase` maps some non-ASCII letters to ASCII: the Kelvin sign would become a k. */
function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Returns the normalized address. Throws `emailMalformed` for an invalid address and `emailNotAccepted` where the
 * operator's denylist has its domain or a parent domain.
 */
export function requireAcceptableAddress(text: string, denylist: readonly string[]): string {
  const address = normalizeAddress(text);
  const at = address.lastIndexOf('@');
  if (address.length > LONGEST_ADDRESS || at > LONGEST_LOCAL_PART || !WELL_FORMED.test(address)) {
    throw new AuthError('emailMalformed');
  }
  if (isOfDeniedDomain(address, denylist)) {
    throw new AuthError('emailNotAccepted', { detail: JSON.stringify(address) });
  }
  return address;
}

/**
 * Returns the number in E.164 with the plus. Throws `phoneMalformed` where it is not an international number of a
 * length its country uses.
 *
 * Only the length is checked: numbering plans change, and a valid new number must not be rejected.
 */
export function requirePhoneNumber(text: string): string {
  const number = /^\s*\+/.test(text) ? parsePhoneNumberFromString(text) : undefined;
  if (number === undefined || !number.isPossible() || !isE164(number.number)) throw new AuthError('phoneMalformed');
  return number.number;
}

/** The same for a number that may lack its plus, which the protocol allows. */
export function requirePhoneDigits(text: string): string {
  return requirePhoneNumber(`+${typedDigits(text)}`);
}

/** Returns a typed number without its plus and spaces. Nothing else is checked. */
export function typedDigits(text: string): string {
  return text.replace(/[+\s]/g, '');
}

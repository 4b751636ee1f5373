import { domainToASCII } from 'node:url';
import { AuthError } from './auth-error.ts';

/** RFC 5321 section 4.5.3.1.3, without the angle brackets. */
const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL_PART = 64;

/** What HTML's e-mail field accepts (HTML Standard, "valid e-mail address"), with a domain of at least two labels that is no number. */
const WELL_FORMED =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The one form in which an address is stored and compared: no blanks around it, lower case, the domain in ASCII.
 * Letters outside ASCII stay as they are in the local part, so that none of them can pass for another address.
 */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  return toAsciiLowerCase(trimmed.slice(0, at + 1)) + toAsciiDomain(trimmed.slice(at + 1));
}

/** What is no domain stays as it is: `domainToASCII` would cut "example.com/x" down to one. */
function toAsciiDomain(domain: string): string {
  const lower = toAsciiLowerCase(domain);
  return /[^\w.-]/.test(lower.replace(/[^ -~]/g, '')) ? lower : domainToASCII(lower) || lower;
}

/** `toLowerCase` folds letters outside ASCII into it: the Kelvin sign would become a k. */
function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * An address that an account may have, normalised. Throws `emailMalformed` where it is none, or `emailNotAccepted`
 * where the operator's list has its domain or a domain above it.
 */
export function requireAcceptableAddress(text: string, denylist: readonly string[]): string {
  const address = normalizeAddress(text);
  const at = address.lastIndexOf('@');
  if (address.length > LONGEST_ADDRESS || at > LONGEST_LOCAL_PART || !WELL_FORMED.test(address)) {
    throw new AuthError('emailMalformed');
  }
  const domain = address.slice(at + 1);
  if (denylist.some((denied) => domain === denied || domain.endsWith(`.${denied}`))) {
    throw new AuthError('emailNotAccepted', { detail: JSON.stringify(address) });
  }
  return address;
}

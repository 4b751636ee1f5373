import { domainToASCII } from 'node:url';
import { trimBlanks } from '#domain/white-space.ts';

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
  const trimmed = trimBlanks(text);
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

/** An address in its one form, and why it is not accepted. */
export interface ReadEmailAddress {
  readonly address: string;
  /** `denied`: the operator's denylist has its domain or a parent domain. Null where it is accepted. */
  readonly problem: 'malformed' | 'denied' | null;
}

/** Reads an email address as it was typed, normalized. */
export function readEmailAddress(text: string, denylist: readonly string[]): ReadEmailAddress {
  const address = normalizeAddress(text);
  const at = address.lastIndexOf('@');
  if (address.length > LONGEST_ADDRESS || at > LONGEST_LOCAL_PART || !WELL_FORMED.test(address)) {
    return { address, problem: 'malformed' };
  }
  return { address, problem: isOfDeniedDomain(address, denylist) ? 'denied' : null };
}

/** Whether the operator's denylist has the domain of a normalized address, or a parent domain. */
function isOfDeniedDomain(address: string, denylist: readonly string[]): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return denylist.some((denied) => domain === denied || domain.endsWith(`.${denied}`));
}

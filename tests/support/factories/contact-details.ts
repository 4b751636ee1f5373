import { randomBytes } from 'node:crypto';

/** Returns an email address without an account. */
export function anEmail(): string {
  return `owner-${randomBytes(6).toString('hex')}@example.com`;
}

let phones = 0;

/**
 * Returns an unused mobile number of a valid range, in E.164 with the plus. Consecutive numbers are far apart, because
 * SMS are limited per block of adjacent numbers.
 */
export function aPhone(): string {
  phones += 1;
  return `+97250${2_000_000 + ((phones * 7_654_321) % 8_000_000)}`;
}

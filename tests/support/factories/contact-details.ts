import { randomBytes } from 'node:crypto';

/** An e-mail address that no account has. */
export function anEmail(): string {
  return `owner-${randomBytes(6).toString('hex')}@example.com`;
}

let phones = 0;

/**
 * A mobile number that nobody else has, of a range that is valid, in E.164 with the plus. It is far from the one before:
 * so many SMS go to numbers that differ in their last digits alone.
 */
export function aPhone(): string {
  phones += 1;
  return `+97250${2_000_000 + ((phones * 7_654_321) % 8_000_000)}`;
}

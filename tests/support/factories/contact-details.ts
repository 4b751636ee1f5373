import { randomBytes, randomInt } from 'node:crypto';

/** An e-mail address that no account has. */
export function anEmail(): string {
  return `owner-${randomBytes(6).toString('hex')}@example.com`;
}

/** A mobile number of a range that is valid, in E.164 with the plus. */
export function aPhone(): string {
  return `+97250${randomInt(1_000_000, 10_000_000)}`;
}

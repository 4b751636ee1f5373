import { createHmac } from 'node:crypto';
import type { LimitName } from '#server/http/limits.ts';
import type { Counter } from '#server/http/rate-limits.ts';
import { recordFailure } from './audit-log.ts';
import type { AuthService } from './auth-service.ts';
import { refuseUnlessAllowed } from './code-allowance.ts';

export interface SignInAttempt {
  /** The e-mail address or the number as it was typed, so that no count tells of which account they both are. */
  readonly account: string;
  readonly password: string;
  /** The network address. */
  readonly address: string;
  /** What the database keeps of the device; null where it brought no cookie. */
  readonly deviceHash: Buffer | null;
}

type Counters = readonly Counter<LimitName>[];

/**
 * By what the wrong passwords of a sign-in are counted: by the account, by the address they come from, and by the
 * password, so that one password that is tried on many accounts is stopped wherever it comes from. A device where the
 * account has signed in before has a count of its own, and only that: whoever guesses at an account cannot lock its
 * owner out.
 */
export function signInCounters(
  { guessSecret }: Pick<AuthService, 'guessSecret'>,
  { account, password, address, deviceHash }: SignInAttempt,
): { readonly onKnownDevice: Counters; readonly elsewhere: Counters } {
  return {
    onKnownDevice:
      deviceHash === null ? [] : [['sign_in_failures_per_known_device', `${account} ${deviceHash.toString('hex')}`]],
    elsewhere: [
      ['sign_in_failures_per_account_and_address', `${account} ${address}`],
      ['sign_in_failures_per_account', account],
      ['sign_in_failures_per_address', address],
      ['sign_in_failures_per_password', createHmac('sha256', guessSecret).update(password).digest('hex')],
    ],
  };
}

/**
 * Counts a wrong password. `userId` is the account that was guessed at, or null where the address has none. Throws
 * `tooManyRequests` where failing was no longer allowed, as for a right guess: of many at once nothing sets that one
 * apart.
 */
export async function countWrongPassword(
  { alone, limits }: Pick<AuthService, 'alone' | 'limits'>,
  counters: Counters,
  userId: string | null,
): Promise<void> {
  const [answers] = await Promise.all([
    Promise.all(counters.map(([name, key]) => limits.take(name, key))),
    recordFailure(alone, 'sign_in_failed', userId),
  ]);
  for (const answer of answers) refuseUnlessAllowed(answer);
}

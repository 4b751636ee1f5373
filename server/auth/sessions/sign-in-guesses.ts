import { createHmac } from 'node:crypto';
import type { LimitName } from '#server/limits/limits.ts';
import type { Counter } from '#server/limits/rate-limits.ts';
import type { AuthService } from '../auth-service.ts';
import { refuseUnlessAllowed } from '../codes/code-allowance.ts';

export interface SignInAttempt {
  /** The email address or number as typed, so that no counter reveals that both belong to one account. */
  readonly account: string;
  readonly password: string;
  /** The network address. */
  readonly address: string;
  /** Hash of the device's cookie; null where it sent none. */
  readonly deviceHash: Buffer | null;
}

type Counters = readonly Counter<LimitName>[];

/**
 * Returns the counters for wrong passwords of a sign-in: by account, by network address, and by password, so that one
 * password tried on many accounts is stopped wherever it comes from.
 *
 * A device on which the account has signed in before has only its own counter, so that guessing cannot lock the owner
 * out.
 */
export function signInCounters(
  { guessSecret }: Pick<AuthService, 'guessSecret'>,
  { account, password, address, deviceHash }: SignInAttempt,
): { readonly onKnownDevice: Counters; readonly elsewhere: Counters } {
  return {
    onKnownDevice:
      deviceHash === null
        ? []
        : [['sign_in_failures_per_account_and_address', `${account} ${deviceHash.toString('hex')}`]],
    elsewhere: [
      ['sign_in_failures_per_account_and_address', `${account} ${address}`],
      ['sign_in_failures_per_account', account],
      ['sign_in_failures_per_address', address],
      ['sign_in_failures_per_password', createHmac('sha256', guessSecret).update(password).digest('hex')],
    ],
  };
}

/**
 * Takes a guess from each counter before the password is compared, so that concurrent guesses are never compared more
 * often than a limit allows. The counters are taken one after another: one that refuses leaves those after it alone.
 * Throws `tooManyRequests` where a counter refuses.
 */
export async function takeGuess({ limits }: Pick<AuthService, 'limits'>, counters: Counters): Promise<void> {
  for (const [at, counter] of counters.entries()) {
    const verdict = await limits.take(...counter);
    if (verdict.allowed) continue;
    await giveBackGuess({ limits }, counters.slice(0, at));
    refuseUnlessAllowed(verdict);
  }
}

/** Returns a guess that was correct, or was not compared. */
export async function giveBackGuess({ limits }: Pick<AuthService, 'limits'>, counters: Counters): Promise<void> {
  await Promise.all(counters.map((counter) => limits.giveBack(...counter)));
}

import { createHmac } from 'node:crypto';
import type { LimitName } from '#server/http/limits.ts';
import type { Counter } from '#server/http/rate-limits.ts';
import { recordFailure } from './audit-log.ts';
import type { AuthService } from './auth-service.ts';
import { refuseUnlessAllowed } from './code-allowance.ts';

/** Counts the wrong passwords of one sign-in, and says when there have been too many. */
export interface SignInGuesses {
  /** Throws `tooManyRequests`. */
  refuseTooMany(): Promise<void>;
  /**
   * `userId` is the account that was guessed at, or null where the address has none. Throws `tooManyRequests` where
   * failing was no longer allowed, as for a right guess: of many at once nothing sets that one apart.
   */
  countFailure(userId: string | null): Promise<void>;
}

export interface SignInAttempt {
  /** The e-mail address or the number as it was typed, so that no count tells of which account they both are. */
  readonly account: string;
  readonly password: string;
  /** The network address. */
  readonly address: string;
  /** The device, where the account has signed in on it before. */
  readonly knownDevice: Buffer | null;
}

/**
 * Guesses are counted for the account, for the address they come from, and for the password: one password that is
 * tried on many accounts is stopped wherever it comes from. A device where the account has signed in before has a
 * count of its own, and only that: whoever guesses at an account cannot lock its owner out.
 */
export function signInGuesses(
  { alone, limits, guessSecret }: Pick<AuthService, 'alone' | 'limits' | 'guessSecret'>,
  { account, password, address, knownDevice }: SignInAttempt,
): SignInGuesses {
  const counters: readonly Counter<LimitName>[] =
    knownDevice !== null
      ? [['sign_in_failures_per_known_device', `${account} ${knownDevice.toString('hex')}`]]
      : [
          ['sign_in_failures_per_account_and_address', `${account} ${address}`],
          ['sign_in_failures_per_account', account],
          ['sign_in_failures_per_address', address],
          ['sign_in_failures_per_password', createHmac('sha256', guessSecret).update(password).digest('hex')],
        ];
  return {
    async refuseTooMany() {
      refuseUnlessAllowed(await limits.peek(...counters));
    },
    async countFailure(userId) {
      const [answers] = await Promise.all([
        Promise.all(counters.map(([name, key]) => limits.take(name, key))),
        recordFailure(alone, 'sign_in_failed', userId),
      ]);
      for (const answer of answers) refuseUnlessAllowed(answer);
    },
  };
}

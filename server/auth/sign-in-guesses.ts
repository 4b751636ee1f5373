import { createHmac } from 'node:crypto';
import type { Context } from 'hono';
import type { AppEnv } from '#server/http/app-env.ts';
import type { LimitName } from '#server/http/limits.ts';
import type { Counter } from '#server/http/rate-limits.ts';
import { recordFailure } from './audit-log.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { deviceHashOf, isKnownDevice } from './known-device.ts';

/** Counts the wrong passwords of one sign-in, and says when there have been too many. */
export interface SignInGuesses {
  /** Throws `tooManyRequests`. */
  refuseTooMany(): Promise<void>;
  /** `userId` is the account that was guessed at, or null where the address has none. */
  countFailure(userId: string | null): Promise<void>;
}

/**
 * Guesses are counted for the account, for the address they come from, and for the password: one password that is
 * tried on many accounts is stopped wherever it comes from. A device where the account has signed in before has a
 * count of its own, and only that: whoever guesses at an account cannot lock its owner out.
 */
export async function signInGuesses(
  service: Pick<AuthService, 'config' | 'alone' | 'limits' | 'guessSecret'>,
  c: Context<AppEnv>,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignInGuesses> {
  const { alone, limits, guessSecret } = service;
  const device = deviceHashOf(service, c);
  const address = c.get('clientAddress');
  const counters: readonly Counter<LimitName>[] =
    device !== null && (await isKnownDevice(alone, email, device))
      ? [['sign_in_failures_per_known_device', `${email} ${device.toString('hex')}`]]
      : [
          ['sign_in_failures_per_account_and_address', `${email} ${address}`],
          ['sign_in_failures_per_account', email],
          ['sign_in_failures_per_address', address],
          ['sign_in_failures_per_password', createHmac('sha256', guessSecret).update(password).digest('hex')],
        ];
  return {
    async refuseTooMany() {
      const answer = await limits.peek(...counters);
      if (!answer.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: answer.retryAfterSeconds });
    },
    async countFailure(userId) {
      await Promise.all([
        ...counters.map(([name, key]) => limits.take(name, key)),
        recordFailure(alone, 'sign_in_failed', userId),
      ]);
    },
  };
}

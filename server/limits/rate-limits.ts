import type { LimitPeek, RateLimitVerdict } from './limit-peek.ts';

/** A limit and the key of a counter. */
export type Counter<Name extends string = string> = readonly [name: Name, key: string];

/**
 * Rate limits shared by every server on the database; `limits.ts` has the names and figures. Every call throws while
 * the counters are unreachable: an unknown limit must not count as unused.
 *
 * @example
 * const verdict = await limits.take('sign_up_per_address', clientAddress);
 * if (!verdict.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: verdict.retryAfterSeconds });
 */
export interface RateLimits<Name extends string = string> {
  /** Takes one from the counter of `key`. Returns whether the limit allowed it. */
  take(name: Name, key: string): Promise<RateLimitVerdict>;
  /** Returns whether all counters would allow one more. Takes nothing. */
  peek(...counters: readonly Counter<Name>[]): Promise<RateLimitVerdict>;
  /** The same check as part of another statement: the values for `allowedAgainAt`. */
  peekAt(...counters: readonly Counter<Name>[]): LimitPeek;
  /** Returns one that was taken for something that did not happen. */
  giveBack(name: Name, key: string): Promise<void>;
}

import type { LimitPeek, RateLimitAnswer } from './limit-peek.ts';

/** A limit, and whose count of it. */
export type Counter<Name extends string = string> = readonly [name: Name, key: string];

/**
 * Counts that every server on the database shares. The names and figures are in `limits.ts`. Where the counts cannot
 * be reached every call throws: a limit that is unknown is never taken for one that is not used up.
 */
export interface RateLimits<Name extends string = string> {
  /** Takes one from what `key` has left of a limit, and says whether there was one. */
  take(name: Name, key: string): Promise<RateLimitAnswer>;
  /** Says whether one would be allowed by all of these, and takes nothing. */
  peek(...counters: readonly Counter<Name>[]): Promise<RateLimitAnswer>;
  /** The same as a part of another statement: what `allowedAgainAt` is given. */
  peekAt(...counters: readonly Counter<Name>[]): LimitPeek;
  /** Gives back one that was taken for something that then did not happen. */
  giveBack(name: Name, key: string): Promise<void>;
}

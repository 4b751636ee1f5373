import { isClaimableTagCode } from '#domain/tag-code.ts';
import type { RateLimits } from './rate-limits.ts';

/** Most addresses that are remembered as refused; beyond that the oldest is asked about again. */
const MOST_REFUSED = 10_000;

export interface MissLimitOptions {
  readonly limits: Pick<RateLimits<'find_item_miss'>, 'take'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * How many look-ups of codes without an item an address may make, counted by everything that tells a code with an item
 * from one without. A hit costs nothing, not even a question to the database.
 *
 * An address with too many misses is told of no further miss. A code that nobody can guess is still looked up for it, so
 * that the others behind the same address find their items; a code that can be guessed is not, so that a hit does not
 * tell what a miss would.
 */
export interface MissLimit {
  /** In how many seconds the address may look up this code; null where it may now. Asks nobody. */
  refusal(address: string, code: string): number | null;
  /**
   * Counts a miss, or something that is undone once it has told as much. In how many seconds the address may look up
   * codes again; null where it still may.
   */
  countMiss(address: string): Promise<number | null>;
}

export function createMissLimit({ limits, now }: MissLimitOptions): MissLimit {
  /** Since when is the order of the map, until when its values. */
  const refusedUntil = new Map<string, number>();

  const refusalOf = (address: string): number | null => {
    const until = refusedUntil.size === 0 ? undefined : refusedUntil.get(address);
    if (until === undefined) return null;
    const left = until - now();
    if (left > 0) return Math.ceil(left / 1000);
    refusedUntil.delete(address);
    return null;
  };

  return {
    refusal: (address, code) => (isClaimableTagCode(code) ? null : refusalOf(address)),
    async countMiss(address) {
      const known = refusalOf(address);
      if (known !== null) return known;
      const answer = await limits.take('find_item_miss', address);
      if (answer.allowed) return null;
      const oldest = refusedUntil.size >= MOST_REFUSED ? refusedUntil.keys().next().value : undefined;
      if (oldest !== undefined) refusedUntil.delete(oldest);
      refusedUntil.set(address, now() + answer.retryAfterSeconds * 1000);
      return answer.retryAfterSeconds;
    },
  };
}

import type { RateLimits } from './rate-limits.ts';

/** Most addresses that are remembered as refused; beyond that the oldest is asked about again. */
const MOST_REFUSED = 10_000;

export interface MissLimitOptions {
  readonly limits: Pick<RateLimits<'find_item_miss'>, 'take'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Whoever tries codes is told by the misses, so every answer that tells a code with an item from one without counts
 * them together. A hit costs nothing, not even a question to the database; an address that has tried too many gets no
 * answer at all, so that it cannot tell hits from misses either.
 */
export interface MissLimit {
  /** In how many seconds the address may look up codes again; null where it may now. Asks nobody. */
  refusal(address: string): number | null;
  /** Counts a miss. In how many seconds the address may look up codes again; null where it still may. */
  countMiss(address: string): Promise<number | null>;
}

export function createMissLimit({ limits, now }: MissLimitOptions): MissLimit {
  /** Since when is the order of the map, until when its values. */
  const refusedUntil = new Map<string, number>();

  return {
    refusal(address) {
      const until = refusedUntil.size === 0 ? undefined : refusedUntil.get(address);
      if (until === undefined) return null;
      const left = until - now();
      if (left > 0) return Math.ceil(left / 1000);
      refusedUntil.delete(address);
      return null;
    },
    async countMiss(address) {
      const answer = await limits.take('find_item_miss', address);
      if (answer.allowed) return null;
      const oldest = refusedUntil.size >= MOST_REFUSED ? refusedUntil.keys().next().value : undefined;
      if (oldest !== undefined) refusedUntil.delete(oldest);
      refusedUntil.set(address, now() + answer.retryAfterSeconds * 1000);
      return answer.retryAfterSeconds;
    },
  };
}

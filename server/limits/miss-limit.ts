import { isClaimableTagCode } from '#domain/tag-code/tag-code.ts';
import type { RateLimits } from './rate-limits.ts';
import { RecentEntries } from './recent-entries.ts';
import { noteRefusal } from './refused-by.ts';

/** How many refused addresses are remembered; beyond that the one refused longest ago is checked in the database again. */
const MOST_REFUSED = 10_000;

export interface MissLimitOptions {
  readonly limits: Pick<RateLimits<'find_item_miss'>, 'take'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Limits how many lookups of codes without an item an address may make. Everything that reveals whether a code has an
 * item counts. A hit costs nothing, not even a query for the limit.
 *
 * An address beyond the limit learns of no further miss. Codes too long to guess are still looked up for it, so that
 * other finders behind the same address reach their items. Guessable codes are not, because a hit would reveal as much
 * as a miss.
 */
export interface MissLimit {
  /**
   * Returns in how many seconds the address may look up this code, or null where it may now; without a code, any that can
   * be guessed. Does not query the database.
   */
  refusal(address: string, code?: string): number | null;
  /**
   * Counts a miss, or an undone action that revealed as much. Returns in how many seconds the address may look up codes
   * again, or null where it still may.
   */
  countMiss(address: string): Promise<number | null>;
}

export function createMissLimit({ limits, now }: MissLimitOptions): MissLimit {
  /** Milliseconds since the epoch. */
  const refused = new RecentEntries(MOST_REFUSED, () => ({ until: 0 }));

  const refusalOf = (address: string): number | null => {
    const until = refused.peek(address)?.until ?? 0;
    const left = until === 0 ? 0 : until - now();
    if (left <= 0) return null;
    noteRefusal({ name: 'find_item_miss' });
    return Math.ceil(left / 1000);
  };

  return {
    refusal: (address, code = '') => (isClaimableTagCode(code) ? null : refusalOf(address)),
    async countMiss(address) {
      const known = refusalOf(address);
      if (known !== null) return known;
      const response = await limits.take('find_item_miss', address);
      if (response.allowed) return null;
      refused.use(address).until = now() + response.retryAfterSeconds * 1000;
      return response.retryAfterSeconds;
    },
  };
}

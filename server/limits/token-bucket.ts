import { RecentEntries } from './recent-entries.ts';

/**
 * Allows an average rate per second, and bursts.
 *
 * @example
 * const bucket = new TokenBucket(10, 20, Date.now()); // 10 a second, 20 at once
 * if (!bucket.take(Date.now())) return refuse();
 */
export class TokenBucket {
  #perMs: number;
  #burst: number;
  #left: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#left = burst;
    this.#at = now;
  }

  /** Takes `count` tokens. Returns false and takes none where there are too few. `now` is in milliseconds. */
  take(now: number, count = 1): boolean {
    this.#refill(now);
    if (this.#left < count) return false;
    this.#left -= count;
    return true;
  }

  #refill(now: number): void {
    // A clock that was set back adds no tokens.
    this.#left = Math.min(this.#burst, this.#left + Math.max(0, now - this.#at) * this.#perMs);
    this.#at = now;
  }
}

export interface AllowanceFigures {
  readonly perSecond: number;
  readonly burst: number;
  /** How many keys are remembered; one that was dropped, the least recently used, has its whole burst again. */
  readonly mostKeys: number;
}

/** Whether `count` more may be done for the key. */
export type Allowance = (key: string, count?: number) => boolean;

/** Gives each key, such as a network address, a bucket of its own. `now` in milliseconds. */
export function createAllowance({ perSecond, burst, mostKeys }: AllowanceFigures, now: () => number): Allowance {
  const buckets = new RecentEntries(mostKeys, () => new TokenBucket(perSecond, burst, now()));
  return (key, count) => buckets.use(key).take(now(), count);
}

import { TokenBucket } from './token-bucket.ts';

/** The guard's figures. `docs/operate/limits.md` lists them. */
export const FLOOD = {
  /** How many refusals an address may receive per second on average, and in a burst. */
  refusalsPerSecond: 20,
  refusalBurst: 400,
  /** How long an address beyond that is cut off, in milliseconds. */
  cutMs: 5_000,
  /** How many addresses are remembered; beyond that the oldest is evicted. */
  mostAddresses: 10_000,
} as const;

/** Cuts off addresses that continue to send requests while they are refused. */
export interface FloodGuard {
  /** Returns in how many seconds the address is served again, or null where it is served now. */
  cutFor(address: string): number | null;
  /** Counts a refused request of the address. */
  countRefusal(address: string): void;
}

interface Entry {
  readonly refusals: TokenBucket;
  /** Milliseconds since the epoch. */
  cutUntil: number;
}

/** `now` in milliseconds since the epoch. */
export function createFloodGuard(now: () => number): FloodGuard {
  const entries = new Map<string, Entry>();
  return {
    cutFor(address) {
      const entry = entries.size === 0 ? undefined : entries.get(address);
      const left = entry === undefined ? 0 : entry.cutUntil - now();
      return left > 0 ? Math.ceil(left / 1000) : null;
    },
    countRefusal(address) {
      let entry = entries.get(address);
      if (entry === undefined) {
        const [oldest] = entries.size >= FLOOD.mostAddresses ? entries.keys() : [];
        if (oldest !== undefined) entries.delete(oldest);
        entry = { refusals: new TokenBucket(FLOOD.refusalsPerSecond, FLOOD.refusalBurst, now()), cutUntil: 0 };
        entries.set(address, entry);
      }
      if (!entry.refusals.take(now())) entry.cutUntil = now() + FLOOD.cutMs;
    },
  };
}

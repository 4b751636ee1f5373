import { RecentEntries } from './recent-entries.ts';
import { TokenBucket } from './token-bucket.ts';

/** The guard's figures. `docs/operate/limits.md` lists them. */
export const FLOOD = {
  /** How many refusals an address may receive per second on average, and in a burst. */
  refusalsPerSecond: 20,
  refusalBurst: 400,
  /** How long an address beyond that is cut off, in milliseconds. */
  cutMs: 5_000,
  /** How many addresses are remembered; beyond that the one refused longest ago is dropped. */
  mostAddresses: 10_000,
} as const;

/** Cuts off addresses that continue to send requests while they are refused. */
export interface FloodGuard {
  /** Returns in how many seconds the address is served again, or null where it is served now. */
  cutFor(address: string): number | null;
  /** Counts a refused request of the address. */
  countRefusal(address: string): void;
}

/** `now` in milliseconds since the epoch. */
export function createFloodGuard(now: () => number): FloodGuard {
  const entries = new RecentEntries(FLOOD.mostAddresses, () => ({
    refusals: new TokenBucket(FLOOD.refusalsPerSecond, FLOOD.refusalBurst, now()),
    /** Milliseconds since the epoch. */
    cutUntil: 0,
  }));
  return {
    cutFor(address) {
      const cutUntil = entries.peek(address)?.cutUntil ?? 0;
      const left = cutUntil === 0 ? 0 : cutUntil - now();
      return left > 0 ? Math.ceil(left / 1000) : null;
    },
    countRefusal(address) {
      const entry = entries.use(address);
      if (!entry.refusals.take(now())) entry.cutUntil = now() + FLOOD.cutMs;
    },
  };
}

import { TokenBucket } from '#server/token-bucket.ts';

/** Figures of the guard. `docs/operate/limits.md` names them. */
export const FLOOD = {
  /** Refusals that an address may be sent each second, averaged, and at once. */
  refusalsPerSecond: 20,
  refusalBurst: 400,
  /** For how long an address beyond them is cut off, in milliseconds. */
  cutMs: 5_000,
  /** Most addresses that are remembered; the one that began first makes room. */
  mostAddresses: 10_000,
} as const;

/** Cuts off addresses that go on asking although they are refused. */
export interface FloodGuard {
  /** In how many seconds the address is served again; null where it is now. */
  cutFor(address: string): number | null;
  /** Counts a request of the address that was refused as one too many. */
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

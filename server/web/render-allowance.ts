import { TokenBucket } from '#server/limits/token-bucket.ts';

/** How many pages are rendered for one address. `docs/operate/limits.md` lists these figures. */
export const RENDERS = {
  perSecond: 20,
  burst: 400,
  /** How many addresses are remembered; beyond that the oldest is forgotten. */
  mostAddresses: 10_000,
} as const;

/**
 * Bounds the pages that are rendered for one address: screens of the app, conversations, and refused forms. Returns
 * whether one more may be. Finished pages are not counted. `now` in milliseconds since the epoch.
 */
export function createRenderAllowance(now: () => number): (address: string) => boolean {
  const kept = new Map<string, TokenBucket>();
  return (address) => {
    let renders = kept.get(address);
    if (renders === undefined) {
      const [oldest] = kept.size >= RENDERS.mostAddresses ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
      renders = new TokenBucket(RENDERS.perSecond, RENDERS.burst, now());
    } else kept.delete(address);
    // Inserting it again makes it the newest.
    kept.set(address, renders);
    return renders.take(now());
  };
}

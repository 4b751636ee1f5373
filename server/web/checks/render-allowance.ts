import { RecentEntries } from '#server/limits/recent-entries.ts';
import { TokenBucket } from '#server/limits/token-bucket.ts';

/** How many pages are rendered for one address. `docs/operate/limits.md` lists these figures. */
export const RENDERS = {
  perSecond: 20,
  burst: 400,
  /** How many addresses are remembered; beyond that the one served longest ago is dropped. */
  mostAddresses: 10_000,
} as const;

/**
 * Bounds the pages that are rendered for one address: screens of the app, conversations, and refused forms. Returns
 * whether one more may be. Finished pages are not counted. `now` in milliseconds since the epoch.
 */
export function createRenderAllowance(now: () => number): (address: string) => boolean {
  const { mostAddresses, perSecond, burst } = RENDERS;
  const buckets = new RecentEntries(mostAddresses, () => new TokenBucket(perSecond, burst, now()));
  return (address) => buckets.use(address).take(now());
}

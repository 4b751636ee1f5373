import { type Allowance, createAllowance } from '#server/limits/token-bucket.ts';

/** How many pages are rendered for one address. `docs/operate/limits.md` lists these figures. */
export const RENDERS = { perSecond: 20, burst: 400, mostKeys: 10_000 } as const;

/**
 * Bounds the pages that are rendered for one address: screens of the app, conversations, and refused forms. Finished pages
 * are not counted. `now` in milliseconds since the epoch.
 */
export function createRenderAllowance(now: () => number): Allowance {
  return createAllowance(RENDERS, now);
}

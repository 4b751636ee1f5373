/** Whether this is the longer run of a test, in `npm run test:everything`: the vitest project `long-runs` sets it. */
export const isLongRun = process.env.LONG_RUNS === 'true';

/** How often a test repeats: `short` times in `npm test`, `long` times in `npm run test:everything`. */
export function repeats(short: number, long: number): number {
  return isLongRun ? long : short;
}

import fc from 'fast-check';

/** Whether this is the longer run of a test, in `npm run test:everything`: the vitest project `long-runs` sets it. */
export const isLongRun = process.env.LONG_RUNS === 'true';

/**
 * How long a test of the longer suite goes on repeating, in milliseconds: a slow machine repeats fewer times. Whoever
 * looks for something rare sets `LONG_RUN_SECONDS`.
 */
const LONGEST_MS = Number(process.env.LONG_RUN_SECONDS ?? 12) * 1_000;

/** How often a test repeats: `short` times in `npm test`, `long` times in `npm run test:everything`. */
export function repeats(short: number, long: number): number {
  return isLongRun ? long : short;
}

/**
 * Counts from 0 as often as a test repeats. In the longer suite it ends before `long` once the time is up, but not
 * before `short`. Rounds that take many seconds have `times` as much time.
 */
export function* rounds(short: number, long: number, { times = 1 } = {}): Generator<number> {
  const began = performance.now();
  for (let round = 0; round < repeats(short, long); round += 1) {
    if (round >= short && performance.now() - began > times * LONGEST_MS) return;
    yield round;
  }
}

/**
 * As `fc.assert`, with `short` runs in `npm test`; in the longer suite with `long` runs, or fewer once the time is up.
 * Resolves when the last run has ended too: fast-check leaves it under way where the time is up, and it would go on
 * changing what the next test looks at.
 */
export async function assertProperty<Values>(
  property: fc.IAsyncProperty<Values>,
  { short, long, ...parameters }: { short: number; long: number } & fc.Parameters<Values>,
): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const followed: fc.IAsyncProperty<Values> = Object.create(property, {
    run: {
      value(values: Values) {
        const run = property.run(values);
        last = Promise.resolve(run);
        return run;
      },
    },
  });
  const extent = isLongRun ? { numRuns: long, interruptAfterTimeLimit: LONGEST_MS } : { numRuns: short };
  await fc.assert(followed, { ...parameters, ...extent });
  await last;
}

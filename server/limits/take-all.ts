import type { Counter, RateLimits } from './rate-limits.ts';

/** The result of taking one from each of several counters. */
export interface TakenCounters {
  /** In how many seconds all would allow it; null where they do now, in which case one is taken from each. */
  readonly retryAfterSeconds: number | null;
  /** Returns what was taken, for something that did not happen. */
  giveBack(): Promise<void>;
}

/** Takes one from each counter, in order, or from none where one refuses. */
export async function takeAll<Name extends string>(
  limits: Pick<RateLimits<Name>, 'take' | 'giveBack'>,
  counters: readonly Counter<Name>[],
): Promise<TakenCounters> {
  const giveBack = async (taken: readonly Counter<Name>[]) => {
    await Promise.all(taken.map((counter) => limits.giveBack(...counter)));
  };
  for (const [at, counter] of counters.entries()) {
    const verdict = await limits.take(...counter);
    if (verdict.allowed) continue;
    await giveBack(counters.slice(0, at));
    return { retryAfterSeconds: verdict.retryAfterSeconds, giveBack: async () => undefined };
  }
  return { retryAfterSeconds: null, giveBack: () => giveBack(counters) };
}

/** Whether another one is allowed, and if not, after how many seconds. */
export type RateLimitVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** The values for checking limits within another statement, which saves a round trip. */
export interface LimitPeek {
  readonly keys: readonly string[];
  /** The limit of each counter. */
  readonly points: readonly number[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Called where one of the counters refuses. */
  readonly onRefusal: () => void;
}

/** A limit and the key of a counter. */
export type Counter<Name extends string = string> = readonly [name: Name, key: string];

/**
 * Rate limits shared by every server on the database; `limits.ts` has the names and figures. Every call throws while
 * the counters are unreachable: an unknown limit must not count as unused.
 *
 * @example
 * const verdict = await limits.take('sign_up_per_address', clientAddress);
 * if (!verdict.allowed) throw new AuthError('tooManyRequests', { retryAfterSeconds: verdict.retryAfterSeconds });
 */
export interface RateLimits<Name extends string = string> {
  /** Takes one from the counter of `key`. Returns whether the limit allowed it. */
  take(name: Name, key: string): Promise<RateLimitVerdict>;
  /** Returns whether all counters would allow one more. Takes nothing. */
  peek(...counters: readonly Counter<Name>[]): Promise<RateLimitVerdict>;
  /** The same check as part of another statement: the values for `allowedAgainAt`. */
  peekAt(...counters: readonly Counter<Name>[]): LimitPeek;
  /** Returns one that was taken for something that did not happen. */
  giveBack(name: Name, key: string): Promise<void>;
}

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

/**
 * Returns SQL for the time when all counters allow another one, in milliseconds since the epoch, or null where they do
 * now. The arguments are the placeholders of the values, such as `$1`.
 */
export function allowedAgainAt({ keys, points, now }: Readonly<Record<'keys' | 'points' | 'now', string>>): string {
  return `(select max(counted.expire)::float8
             from unnest(${keys}::text[], ${points}::int[]) as asked (key, points)
             join internal.rate_limits as counted on counted.key = asked.key
             where counted.points >= asked.points and counted.expire > ${now}::bigint)`;
}

/** Returns the verdict for the result of that SQL. */
export function verdictOfPeek(
  { now, onRefusal }: Pick<LimitPeek, 'now' | 'onRefusal'>,
  againAt: number | null,
): RateLimitVerdict {
  if (againAt === null) return { allowed: true };
  onRefusal();
  return refusedFor(againAt - now);
}

/** `ms` until another one is allowed. */
export function refusedFor(ms: number): RateLimitVerdict {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) };
}

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

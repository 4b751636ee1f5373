/** Whether one more is allowed; if not, in how many seconds it will be. */
export type RateLimitAnswer =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** The values of a peek at limits that is a part of another statement, so that both are one round trip. */
export interface LimitPeek {
  readonly keys: readonly string[];
  /** How many each allows. */
  readonly points: readonly number[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * SQL for when one more will be allowed by all the counters, in milliseconds since the epoch, or null where it is allowed
 * now. It is given the parameters that hold the values, such as `$1`.
 */
export function allowedAgainAt({ keys, points, now }: Readonly<Record<keyof LimitPeek, string>>): string {
  return `(select max(counted.expire)::float8
             from unnest(${keys}::text[], ${points}::int[]) as asked (key, points)
             join internal.rate_limits as counted on counted.key = asked.key
             where counted.points >= asked.points and counted.expire > ${now}::bigint)`;
}

/** What a peek says, by what its SQL gave. */
export function answerOfPeek({ now }: Pick<LimitPeek, 'now'>, againAt: number | null): RateLimitAnswer {
  return againAt === null ? { allowed: true } : refusedFor(againAt - now);
}

/** In milliseconds. */
export function refusedFor(ms: number): RateLimitAnswer {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) };
}

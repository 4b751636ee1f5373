import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '#server/postgres/database.ts';
import { figuresOf, LIMIT_NAMES, type LimitFigures, type LimitName } from './limits.ts';
import type { RateLimitAnswer, RateLimits } from './rate-limits.ts';

export interface RateLimitsOptions {
  readonly database: Pick<Database, 'limitsPool'>;
  /** The gentler figures of a development server. */
  readonly development?: boolean;
  /** What the configuration says in place of the table. */
  readonly changed?: ReadonlyMap<LimitName, LimitFigures>;
}

/**
 * Limits counted in PostgreSQL, so that all servers on one database count together. The library keeps no insurance
 * in memory: where the database does not answer, every call throws.
 */
export function createRateLimits({
  database,
  development = false,
  changed = new Map(),
}: RateLimitsOptions): RateLimits<LimitName> {
  const limiters = new Map(
    LIMIT_NAMES.map((name) => {
      const { points, seconds } = changed.get(name) ?? figuresOf(name, development);
      const limiter = new RateLimiterPostgres({
        storeClient: database.limitsPool,
        storeType: 'pool',
        schemaName: 'internal',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
        // One of them is enough to clear what has expired of them all.
        clearExpiredByTimeout: name === LIMIT_NAMES[0],
      });
      return [name, limiter] as const;
    }),
  );
  const limiterOf = (name: LimitName): RateLimiterPostgres => {
    const limiter = limiters.get(name);
    if (limiter === undefined) throw new Error(`There is no limit named ${name}.`);
    return limiter;
  };

  return {
    async take(name, key) {
      try {
        await limiterOf(name).consume(fingerprint(key));
        return { allowed: true };
      } catch (refusal) {
        // The library rejects with its answer where the limit is used up, and with an Error where it could not count.
        if (refusal instanceof RateLimiterRes) return refused(refusal.msBeforeNext);
        throw refusal;
      }
    },
    async peek(...counters) {
      const now = Date.now();
      const { rows } = await database.limitsPool.query<{ until: number | null }>({
        name: 'peek_limits',
        text: `select max(counted.expire)::float8 as until
                 from unnest($1::text[], $2::int[]) as asked (key, points)
                 join internal.rate_limits as counted on counted.key = asked.key
                 where counted.points >= asked.points and counted.expire > $3`,
        values: [
          counters.map(([name, key]) => limiterOf(name).getKey(fingerprint(key))),
          counters.map(([name]) => limiterOf(name).points),
          now,
        ],
      });
      const until = rows[0]?.until ?? null;
      return until === null ? { allowed: true } : refused(until - now);
    },
    async giveBack(name, key) {
      await limiterOf(name).reward(fingerprint(key));
    },
  };
}

function refused(forMs: number): RateLimitAnswer {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(forMs / 1000)) };
}

/** Keys hold addresses of people: the table gets none of them, and none is too long for it. */
function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

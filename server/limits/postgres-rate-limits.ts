import { hash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '#server/postgres/database.ts';
import { allowedAgainAt, answerOfPeek, type LimitPeek, refusedFor } from './limit-peek.ts';
import { figuresOf, LIMIT_NAMES, type LimitFigures, type LimitName } from './limits.ts';
import type { Counter, RateLimits } from './rate-limits.ts';

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
  const peekAt = (...counters: readonly Counter<LimitName>[]): LimitPeek => ({
    keys: counters.map(([name, key]) => limiterOf(name).getKey(fingerprint(key))),
    points: counters.map(([name]) => limiterOf(name).points),
    now: Date.now(),
  });

  return {
    async take(name, key) {
      try {
        await limiterOf(name).consume(fingerprint(key));
        return { allowed: true };
      } catch (refusal) {
        // The library rejects with its answer where the limit is used up, and with an Error where it could not count.
        if (refusal instanceof RateLimiterRes) return refusedFor(refusal.msBeforeNext);
        throw refusal;
      }
    },
    async peek(...counters) {
      const peek = peekAt(...counters);
      const { rows } = await database.limitsPool.query<{ again_at: number | null }>({
        name: 'peek_limits',
        text: `select ${allowedAgainAt({ keys: '$1', points: '$2', now: '$3' })} as again_at`,
        values: [peek.keys, peek.points, peek.now],
      });
      return answerOfPeek(peek, rows[0]?.again_at ?? null);
    },
    peekAt,
    async giveBack(name, key) {
      await limiterOf(name).reward(fingerprint(key));
    },
  };
}

/** Keys hold addresses of people: the table gets none of them, and none is too long for it. */
function fingerprint(key: string): string {
  return hash('sha256', key, 'base64url');
}

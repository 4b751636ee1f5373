import { hash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { ServiceLog } from '#server/log/log.ts';
import type { Database } from '#server/postgres/database.ts';
import type { Statement } from '#server/postgres/statement.ts';
import { figuresOf, LIMIT_NAMES, type LimitFigures, type LimitName } from './limits.ts';
import {
  allowedAgainAt,
  type Counter,
  type LimitPeek,
  type RateLimits,
  refusedFor,
  verdictOfPeek,
} from './rate-limits.ts';
import { noteRefusal } from './refused-by.ts';

/** Limits that are an operator's bill. At these shares of them the operator is warned, by the server that reaches one. */
const BUDGETS: ReadonlySet<LimitName> = new Set(['sms_a_day', 'sms_a_day_to_unproved_numbers']);
const WARNED_SHARES = [0.5, 0.9];

export interface RateLimitsOptions {
  readonly database: Pick<Database, 'countLimits'>;
  /** Uses the figures for development. */
  readonly development?: boolean;
  /** Hears when much of the budget of SMS is used. */
  readonly log: Pick<ServiceLog, 'warn'>;
  /** Limits changed by the configuration. */
  readonly changed?: ReadonlyMap<LimitName, LimitFigures>;
}

/**
 * Counts limits in PostgreSQL, shared by all servers on one database. The library's in-memory fallback is not used:
 * while the database is unreachable, every call throws.
 */
export function createRateLimits({
  database,
  log,
  development = false,
  changed = new Map(),
}: RateLimitsOptions): RateLimits<LimitName> {
  const limiters = new Map(
    LIMIT_NAMES.map((name) => {
      const { points, seconds } = changed.get(name) ?? figuresOf(name, development);
      const limiter = new RateLimiterPostgres({
        // The only method of a connection that the library calls.
        storeClient: { query: (statement: Statement) => database.countLimits(statement) },
        storeType: 'client',
        schemaName: 'internal',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
        // In one statement, however many there are. `boundLimitCounts` deletes them in batches.
        clearExpiredByTimeout: false,
      });
      return [name, limiter] as const;
    }),
  );
  const limiterOf = (name: LimitName): RateLimiterPostgres => {
    const limiter = limiters.get(name);
    if (limiter === undefined) throw new Error(`There is no limit named ${name}.`);
    return limiter;
  };
  const refuse = (...names: readonly LimitName[]): void => {
    for (const name of names) {
      const { points, duration } = limiterOf(name);
      noteRefusal({ name, points, seconds: duration });
    }
  };
  const warnOfBudget = (name: LimitName, used: number): void => {
    const { points } = limiterOf(name);
    const share = BUDGETS.has(name) && WARNED_SHARES.find((part) => used === Math.ceil(points * part));
    if (share) log.warn({ limit: name, used, points }, `${share * 100} % of the SMS of a day are used.`);
  };
  const peekAt = (...counters: readonly Counter<LimitName>[]): LimitPeek => ({
    keys: counters.map(([name, key]) => limiterOf(name).getKey(fingerprint(key))),
    points: counters.map(([name]) => limiterOf(name).points),
    now: Date.now(),
    onRefusal: () => refuse(...counters.map(([name]) => name)),
  });

  return {
    async take(name, key) {
      try {
        const { consumedPoints } = await limiterOf(name).consume(fingerprint(key));
        warnOfBudget(name, consumedPoints);
        return { allowed: true };
      } catch (refusal) {
        // The library rejects with its result where the limit is exhausted, and with an Error where counting failed.
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        refuse(name);
        return refusedFor(refusal.msBeforeNext);
      }
    },
    async peek(...counters) {
      const peek = peekAt(...counters);
      const { rows } = await database.countLimits<{ again_at: number | null }>({
        name: 'peek_limits',
        text: `select ${allowedAgainAt({ keys: '$1', points: '$2', now: '$3' })} as again_at`,
        values: [peek.keys, peek.points, peek.now],
      });
      return verdictOfPeek(peek, rows[0]?.again_at ?? null);
    },
    peekAt,
    async giveBack(name, key) {
      const counter = limiterOf(name).getKey(fingerprint(key));
      const { rows } = await database.countLimits<{ readonly points: number }>({
        name: 'give_back_to_limit',
        text: `update internal.rate_limits set points = greatest(points - 1, 0)
                 where key = $1 and (expire is null or expire > $2) returning points`,
        values: [counter, Date.now()],
      });
      if (rows[0]?.points !== 0) return;
      // A client that chooses the key would otherwise leave a row for each call that was refused.
      await database.countLimits({
        name: 'forget_unused_limit',
        text: 'delete from internal.rate_limits where key = $1 and points = 0',
        values: [counter],
      });
    },
  };
}

/** Keys contain personal addresses. Hashing keeps them out of the table and bounds their length. */
function fingerprint(key: string): string {
  return hash('sha256', key, 'base64url');
}

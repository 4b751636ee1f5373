import { inBatches } from '#server/in-batches.ts';
import type { Database } from '#server/postgres/database.ts';

/** Figures of the counts that limits keep in the database. `docs/operate/limits.md` names them. */
export const LIMIT_COUNTS = {
  /** Rows, of about 250 bytes each with their indexes. */
  most: 1_000_000,
  /** How often they are counted, in milliseconds. */
  everyMs: 60_000,
} as const;

/** Rows that are removed by one statement. No count waits longer for a row than such a statement takes. */
const BATCH = 5_000;
/** How long expired counts are kept, for servers whose clocks differ, in milliseconds. */
const KEPT_MS = 3_600_000;

/**
 * Deletes the counts that expired an hour ago, and those beyond `most`, the first to expire first: many addresses can
 * create more counts than the database has room for. To evict one count a client must create another by a request of its
 * own, and gains at most one attempt.
 */
export async function boundLimitCounts(
  database: Pick<Database, 'asService'>,
  most: number = LIMIT_COUNTS.most,
): Promise<void> {
  await deleteInBatches(database, 'where expire < $2 limit $1', [Date.now() - KEPT_MS]);
  await deleteInBatches(
    database,
    'order by expire limit least($1, greatest(0, (select count(*) from internal.rate_limits) - $2))',
    [most],
  );
}

async function deleteInBatches(
  database: Pick<Database, 'asService'>,
  which: string,
  values: readonly number[],
): Promise<void> {
  await inBatches(BATCH, () =>
    database.asService({
      text: `delete from internal.rate_limits where ctid = any (array(select ctid from internal.rate_limits ${which}))`,
      values: [BATCH, ...values],
    }),
  );
}

import type { Database } from '#server/postgres/database.ts';

/** Figures of the counts that limits keep in the database. `docs/operate/limits.md` names them. */
export const LIMIT_COUNTS = {
  /** Rows, of about 250 bytes each with their indexes. */
  most: 1_000_000,
  /** How often they are counted, in milliseconds. */
  everyMs: 60_000,
} as const;

/** Rows that are removed by one statement, so that each ends long before its time limit. */
const BATCH = 50_000;

/**
 * Deletes the counts beyond `most`, those that expire first: many addresses can create more counts than the database has
 * room for. To evict one count a client must create another by a request of its own, and gains at most one attempt.
 */
export async function boundLimitCounts(
  database: Pick<Database, 'asService'>,
  most: number = LIMIT_COUNTS.most,
): Promise<void> {
  for (let removed = BATCH; removed === BATCH; ) {
    const { rowCount } = await database.asService({
      text: `delete from internal.rate_limits where ctid = any (array(
          select ctid from internal.rate_limits order by expire
            limit least($2, greatest(0, (select count(*) from internal.rate_limits) - $1))
        ))`,
      values: [most, BATCH],
    });
    removed = rowCount ?? 0;
  }
}

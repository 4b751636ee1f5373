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
 * Removes counts beyond `most`, those that expire first before the others: many addresses can create more counts than the
 * database has room for. Each removed row costs them a request, and resets one count.
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

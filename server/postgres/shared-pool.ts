import type { Pool, PoolClient } from 'pg';
import type { FairShares } from '#server/limits/fair-shares.ts';
import { withClient } from './transact.ts';

/** A pool of which no holder uses more than its share. */
export interface SharedPool {
  readonly pool: Pool;
  readonly shares: FairShares;
}

/** Like `withClient`. Rejects with `ShareUsedUp` where the holder's share stays in use for too long. */
export async function withShare<Result>(
  { pool, shares }: SharedPool,
  holder: string | null,
  use: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const waiting = shares.take(holder);
  if (waiting !== undefined) await waiting;
  try {
    return await withClient(pool, use);
  } finally {
    shares.giveBack(holder);
  }
}

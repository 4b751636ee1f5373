import type { Pool, PoolClient } from 'pg';
import type { FairShares } from '#server/fair-shares.ts';
import { withClient } from './transact.ts';

/** Connections of which no holder has more than its share. */
export interface SharedPool {
  readonly pool: Pool;
  readonly shares: FairShares;
}

/** `withClient` for one of these: rejects with `ShareUsedUp` where the holder has had a full share for too long. */
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

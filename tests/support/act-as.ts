import type { PoolClient } from 'pg';
import type { Caller } from '#server/postgres/caller.ts';
import type { TestDatabase } from './test-database.ts';

/** Runs statements as a caller does: in one transaction, under the caller's role and claims. */
export type CallerWork<Result> = (client: PoolClient) => Promise<Result>;

/** Runs `work` in one transaction as the caller; committed when it resolves, rolled back when it throws. */
export async function actAs<Result>(database: TestDatabase, caller: Caller, work: CallerWork<Result>): Promise<Result> {
  return inTransaction(database, 'commit', async (client) => {
    await become(client, caller);
    return work(client);
  });
}

/** Runs `work` in one transaction as the account that migrated, and rolls it back in any case. */
export async function rehearse<Result>(database: TestDatabase, work: CallerWork<Result>): Promise<Result> {
  return inTransaction(database, 'rollback', work);
}

/** Until the end of the transaction, or `reset role`, the connection acts as the caller. */
export async function become(client: PoolClient, { role, claims }: Caller): Promise<void> {
  await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
    role,
    JSON.stringify(claims),
  ]);
}

async function inTransaction<Result>(
  database: TestDatabase,
  ending: 'commit' | 'rollback',
  work: CallerWork<Result>,
): Promise<Result> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query(ending);
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

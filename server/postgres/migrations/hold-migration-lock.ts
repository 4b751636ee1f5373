import type { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';

/** "reunite" in ASCII, which no other application on this database would choose. */
const LOCK = 0x7265756e697465n;

/**
 * Runs `work` while no other process migrates the same database. A second process waits as long as needed.
 *
 * Uses a session-level lock, because the work consists of many transactions, some on other connections. PostgreSQL
 * releases it when the connection ends, so a killed process leaves nothing behind. The connection must be a session of
 * its own: a pooler in transaction mode does not provide that.
 */
export async function holdMigrationLock<Result>(
  client: Client,
  log: Pick<ServiceLog, 'info'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK]);
  if (rows[0]?.held !== true) {
    log.info({}, 'Another process is migrating this database; waiting for it.');
    await client.query('select pg_advisory_lock($1)', [LOCK]);
  }
  try {
    return await work();
  } finally {
    // If the connection failed, the lock is released already.
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
  }
}

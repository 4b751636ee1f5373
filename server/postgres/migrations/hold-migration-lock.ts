import type { Client } from 'pg';
import type { ServiceLog } from '#server/log.ts';

/** "reunite" in ASCII: nobody else on this database would choose it. */
const LOCK = 0x7265756e697465n;

/**
 * Runs `work` while no other process migrates the same database; whoever comes later waits for as long as it takes.
 *
 * A session's lock, because the work is many transactions and some of them on other connections. PostgreSQL releases
 * it when the connection ends, so a process that is killed leaves nothing behind. It needs a connection that is one
 * session: a pooler in transaction mode does not give that.
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
    // The connection may be what failed; then the lock went with it.
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
  }
}

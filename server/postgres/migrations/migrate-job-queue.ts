import { Logger, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { PrimaryClient } from '#server/postgres/primary-client.ts';
import { MigrationError } from './migration-error.ts';

/**
 * Migrates the job queue's own schema, `graphile_worker`. Triggers enqueue jobs there in the transaction of the row, so
 * no server may listen before it exists.
 *
 * Runs after our own files: the first of them revokes the default right to execute new functions, which must cover
 * these too.
 *
 * @throws MigrationError with the library's error as its cause.
 */
export async function migrateJobQueue(address: PostgresAddress, log: ServiceLog): Promise<void> {
  const pool = new Pool({ ...address, Client: PrimaryClient, max: 1, application_name: 'reunite migrations' });
  pool.on('error', (error) => log.warn({ err: error }, 'An idle database connection was lost.'));
  // The library requires a listener, and would otherwise add its own with a warning.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool: pool, schema: 'graphile_worker', logger: loggerOver(log) });
    await planOnce(pool);
  } catch (error) {
    throw new MigrationError(
      `The job queue's part of the database could not be migrated: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  } finally {
    await pool.end();
  }
}

/**
 * Makes the library's function that enqueues jobs keep its plans. It takes an array, for which PostgreSQL would plan each
 * of its four statements anew at every call: that takes four times as long as to run them, and a message enqueues
 * several jobs. A plan that is kept must suit a full queue too, so it may read no table whole where an index serves.
 *
 * A later version of the library may replace its function, so every start looks.
 */
async function planOnce(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(`
    select format(
        'alter function %s set plan_cache_mode = force_generic_plan set enable_seqscan = off', oid::regprocedure
      ) as statement
      from pg_proc
      where pronamespace = 'graphile_worker'::regnamespace and proname = 'add_jobs'
        and not coalesce(proconfig @> '{plan_cache_mode=force_generic_plan,enable_seqscan=off}', false)
  `);
  for (const { statement } of rows) await pool.query(statement);
}

function loggerOver(log: ServiceLog): Logger {
  return new Logger(() => (level, message, meta) => {
    const fields = { jobQueue: meta ?? {} };
    if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}

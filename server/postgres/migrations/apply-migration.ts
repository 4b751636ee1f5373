import { setTimeout as pause } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { isClusterRace } from './cluster-race.ts';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './read-migrations.ts';

const RACES_LOST_AT_MOST = 50;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 400;

/**
 * Gives up waiting for a lock after this time and retries later. A statement that waits for a table's strongest lock
 * blocks every later query on it, and the service may be running during the migration.
 */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Applies one file and inserts its row of `internal.migrations` in one transaction, so that after a kill both are there
 * or neither.
 *
 * @throws MigrationError with PostgreSQL's error as its cause.
 */
export async function applyMigration(
  client: Client,
  migration: Migration,
  log: Pick<ServiceLog, 'warn'>,
): Promise<void> {
  for (let racesLost = 0; ; racesLost += 1) {
    try {
      await applyOnce(client, migration);
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (error instanceof MigrationError) throw error;
      if (!isClusterRace(error) || racesLost === RACES_LOST_AT_MOST) {
        throw failed(migration, error);
      }
      log.warn({ err: error, migration: migration.name }, 'A concurrent migration was faster; this one is retried.');
      await pause(SHORTEST_PAUSE_MS + Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

async function applyOnce(client: Client, { number, name, kind, checksum, sql }: Migration): Promise<void> {
  await client.query('begin');
  // Session settings of an earlier file must not affect this one.
  await client.query(
    `set local role none; set local search_path = public; set local check_function_bodies = on;
     set local statement_timeout = 0; set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
  );
  // Must come before the file's own statements. If two processes both hold the lock (through a pooler that shares
  // sessions), the second waits here and fails on the key, with nothing done.
  await client.query('insert into internal.migrations (number, name, kind, checksum) values ($1, $2, $3, $4)', [
    number,
    name,
    kind,
    checksum,
  ]);
  const before = await transactionId(client);
  await client.query(sql);
  if ((await transactionId(client)) !== before) {
    throw new MigrationError(
      `The migration ${name} ends the transaction it runs in. Take its "commit" or "rollback" out: it is then undone ` +
        'as a whole when a part of it fails.',
    );
  }
  await client.query('commit');
}

async function transactionId(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>('select pg_current_xact_id_if_assigned()::text as id');
  return rows[0]?.id ?? null;
}

function failed({ name }: Migration, error: unknown): MigrationError {
  if (error instanceof DatabaseError) {
    const hint = error.hint === undefined ? '' : ` (${error.hint})`;
    return new MigrationError(`The migration ${name} failed and was undone: ${error.message}${hint}`, { cause: error });
  }
  // Whether the commit succeeded is unknown; the next start reads it from the table.
  return new MigrationError(`The connection to PostgreSQL was lost during the migration ${name}. Start again.`, {
    cause: error,
  });
}

import { setTimeout as pause } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { applyFunctions, dropFormerFunctions, type ReleasedFunctions } from './apply-functions.ts';
import { isClusterRace } from './cluster-race.ts';
import { MigrationError } from './migration-error.ts';
import { BASELINE, type Migration, numbered } from './read-migrations.ts';
import type { Schema } from './read-schema.ts';
import type { SqlFile } from './sql-file.ts';

const RACES_LOST_AT_MOST = 50;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 400;

/**
 * Gives up waiting for a lock after this time and retries later. A statement that waits for a table's strongest lock
 * blocks every later query on it, and the service may be running during the update.
 */
const LOCK_TIMEOUT_MS = 5_000;

/** What one start changes in a database. */
export interface SchemaChange {
  /** Whether the database has none of our tables yet. It then gets them as they are now, and no migration is run. */
  readonly isEmpty: boolean;
  /** The migrations to run, or, in an empty database, to record as contained in its tables. */
  readonly migrations: readonly Migration[];
  /** Null where the functions are left alone. */
  readonly functions: ReleasedFunctions | null;
  /** Runs last in the transaction, in an empty database. What it throws is thrown as it is. */
  readonly fill: ((client: Client) => Promise<void>) | undefined;
}

/**
 * Applies a change in one transaction: after a kill all of it is there, or nothing.
 *
 * Functions come before tables, because triggers, policies, and defaults name them. PostgreSQL looks at their bodies
 * when they are called.
 *
 * @throws MigrationError with PostgreSQL's error as its cause.
 */
export async function applySchema(
  client: Client,
  schema: Schema,
  change: SchemaChange,
  log: Pick<ServiceLog, 'warn'>,
): Promise<void> {
  for (let racesLost = 0; ; racesLost += 1) {
    const progress = { file: 'The update', isFilling: false };
    try {
      await applyOnce(client, schema, change, progress);
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (error instanceof MigrationError || progress.isFilling) throw error;
      if (!isClusterRace(error) || racesLost === RACES_LOST_AT_MOST) throw failed(progress.file, error);
      log.warn({ err: error, file: progress.file }, 'A concurrent migration was faster; this one is retried.');
      await pause(SHORTEST_PAUSE_MS + Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

async function applyOnce(
  client: Client,
  { schemas, tables }: Schema,
  { isEmpty, migrations, functions, fill }: SchemaChange,
  progress: { file: string; isFilling: boolean },
): Promise<void> {
  await client.query('begin');
  // Assigns the transaction its id, by which a file that ends it is noticed.
  const transaction = await transactionId(client);
  const run = async ({ name, sql }: SqlFile) => {
    progress.file = name;
    // Session settings of an earlier file must not affect this one.
    await client.query(
      `set local role none; set local search_path = public; set local check_function_bodies = off;
       set local statement_timeout = 0; set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
    );
    await client.query(sql);
    if ((await transactionId(client)) !== transaction) {
      throw new MigrationError(
        `${name} ends the transaction it runs in. Take its "commit" or "rollback" out: it is then undone as a whole ` +
          'when a part of it fails.',
      );
    }
  };

  if (isEmpty) {
    await record(client, {
      number: BASELINE,
      name: `${numbered(BASELINE)}_baseline`,
      kind: 'compatible',
      checksum: '',
    });
    if (schemas !== null) await run(schemas);
  }
  if (functions !== null) await applyFunctions(client, functions, run);
  if (isEmpty) for (const file of tables) await run(file);
  for (const migration of migrations) {
    // Must come before the file's own statements. If two processes both hold the lock (through a pooler that shares
    // sessions), the second waits here and fails on the key, with nothing done.
    await record(client, migration);
    if (!isEmpty) await run(migration);
  }
  // After the tables, whose triggers and policies may have named what is dropped.
  if (functions !== null) await dropFormerFunctions(client, functions);
  if (isEmpty && fill !== undefined) {
    progress.isFilling = true;
    await fill(client);
  }
  await client.query('commit');
}

async function record(
  client: Client,
  { number, name, kind, checksum }: Pick<Migration, 'number' | 'name' | 'kind' | 'checksum'>,
): Promise<void> {
  await client.query('insert into internal.migrations (number, name, kind, checksum) values ($1, $2, $3, $4)', [
    number,
    name,
    kind,
    checksum,
  ]);
}

async function transactionId(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
  return rows[0]?.id;
}

function failed(file: string, error: unknown): MigrationError {
  if (error instanceof DatabaseError) {
    const hint = error.hint === undefined ? '' : ` (${error.hint})`;
    return new MigrationError(`${file} failed, and the update was undone: ${error.message}${hint}`, { cause: error });
  }
  // Whether the commit succeeded is unknown; the next start reads it from the table.
  return new MigrationError(`The connection to PostgreSQL was lost during ${file}. Start again.`, { cause: error });
}

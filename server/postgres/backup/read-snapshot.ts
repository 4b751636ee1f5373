import type { Client } from 'pg';
import type { PostgresAddress } from '../address.ts';
import { readBook } from '../migrations/book.ts';
import { MigrationError } from '../migrations/migration-error.ts';
import { type AppliedMigration, planMigrations } from '../migrations/plan-migrations.ts';
import { readSchema } from '../migrations/read-schema.ts';
import { PrimaryClient } from '../primary-client.ts';
import { copyOut } from './copy.ts';
import {
  type BackedUpSequence,
  type BackedUpTable,
  copyStatement,
  describeSequences,
  describeTables,
  listForeign,
  tablesIn,
} from './own-tables.ts';
import { type PendingJob, readJobs } from './pending-jobs.ts';

/** The database at one moment, while it is in use. */
export interface Snapshot {
  /** ISO 8601. */
  readonly moment: string;
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly BackedUpTable[];
  readonly sequences: readonly BackedUpSequence[];
  /** What the database has beside ours. It is not part of the snapshot. */
  readonly foreign: readonly string[];
  readonly jobs: readonly PendingJob[];
  /** The names of all files that rows name. */
  readonly files: readonly string[];
  /** The rows in PostgreSQL's text format. */
  copy(table: BackedUpTable): AsyncIterable<Buffer>;
}

export interface SnapshotOptions {
  /** The account that migrates. */
  readonly address: PostgresAddress;
  /** The folder with `tables/` and `migrations/`, as the database has them. */
  readonly directory: string;
}

/** Values are written the same on every server. */
const SETTINGS = `set local statement_timeout = 0; set local lock_timeout = '10s';
  set local idle_in_transaction_session_timeout = 0; set local row_security = off; set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3;
  set local bytea_output = 'hex'; set local xmlbinary = 'base64'; set local search_path = pg_catalog`;

/**
 * Passes a snapshot to `work`, all of it from one read-only transaction. It ends with `work`.
 *
 * @throws MigrationError where the database has other migrations than the folder.
 */
export async function readSnapshot<Result>(
  { address, directory }: SnapshotOptions,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const schema = await readSchema(directory);
  const client = new PrimaryClient({ ...address, application_name: 'reunite backup', keepAlive: true });
  try {
    await client.connect();
    const { rows } = await client.query<{ exists: boolean }>(
      "select to_regclass('internal.functions') is not null as exists",
    );
    if (rows[0]?.exists !== true) throw new MigrationError('The database is empty: there is nothing to back up.');
    await client.query('begin isolation level repeatable read read only');
    await client.query(SETTINGS);
    const names = tablesIn(schema.tables, 'logged');
    // Before the first query, whose moment is the snapshot's: no migration changes a table before it is read.
    await client.query(`lock table internal.migrations, ${names.join(', ')} in access share mode`).catch((cause) => {
      throw new MigrationError(`The tables cannot be read: ${cause instanceof Error ? cause.message : cause}.`, {
        cause,
      });
    });
    const migrations = await readBook(client);
    const { pending, newer } = planMigrations(schema.migrations, migrations);
    if (pending.length > 0 || newer.length > 0) {
      throw new MigrationError(
        'The database belongs to another version of this program. Back it up with the version that serves it.',
      );
    }
    return await work(await describe(client, names, tablesIn(schema.tables, 'any'), migrations));
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function describe(
  client: Client,
  names: readonly string[],
  ours: readonly string[],
  migrations: readonly AppliedMigration[],
): Promise<Snapshot> {
  const tables = await describeTables(client, await inOrderOfReferences(client, names));
  const { rows } = await client.query<{ moment: Date }>('select now() as moment');
  const files = await client.query<{ file: string }>(
    `select version as file from storage.objects
      union select file ->> 'version' from storage.objects, jsonb_array_elements(renditions) as file order by 1`,
  );
  return {
    moment: (rows[0]?.moment ?? new Date()).toISOString(),
    migrations,
    tables,
    sequences: await describeSequences(client, tables),
    foreign: await listForeign(client, [...ours, 'internal.migrations', 'internal.functions']),
    jobs: await readJobs(client),
    files: files.rows.map(({ file }) => file),
    copy: (table) => copyOut(client, copyStatement(table)),
  };
}

/** Tables that others refer to come first. */
async function inOrderOfReferences(client: Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to
      from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  );
  const ordered = new Set<string>();
  const add = (name: string, path: readonly string[] = []): void => {
    if (ordered.has(name) || path.includes(name)) return;
    for (const { from, to } of rows) if (from === name) add(to, [...path, name]);
    if (names.includes(name)) ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered];
}

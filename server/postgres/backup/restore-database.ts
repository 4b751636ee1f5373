import type { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import type { PostgresAddress } from '../address.ts';
import { migrate } from '../migrate.ts';
import { MigrationError } from '../migrations/migration-error.ts';
import { type AppliedMigration, planMigrations } from '../migrations/plan-migrations.ts';
import { readSchema } from '../migrations/read-schema.ts';
import { fillTables, removeOneTimeCodes, sumTable, type TableRows, type TableSum } from './fill-tables.ts';
import type { BackedUpSequence, BackedUpTable } from './own-tables.ts';
import { type DroppedJobs, keepJobs, type PendingJob } from './pending-jobs.ts';

export interface RestoreDatabaseOptions {
  /** The account that migrates, to an empty database. */
  readonly address: PostgresAddress;
  readonly log: ServiceLog;
  readonly heading: {
    readonly release: string;
    readonly migrations: readonly AppliedMigration[];
    readonly tables: readonly BackedUpTable[];
    readonly sequences: readonly BackedUpSequence[];
  };
  /** The `database/` of the backup's time. */
  readonly formerDirectory: string;
  /** This program's `database/`. */
  readonly directory: string;
  /** Rows of the tables in order. Read once. */
  readonly contents: () => AsyncIterable<TableRows>;
  /** Filled while the contents are read. */
  readonly jobs: readonly PendingJob[];
  readonly now: Date;
  /** Called with each table as it was restored, before anything is removed from it. */
  readonly inspect?: (table: BackedUpTable, sum: TableSum) => void;
}

export interface RestoredDatabase {
  readonly added: readonly string[];
  readonly removedCodes: number;
  readonly droppedJobs: DroppedJobs;
  readonly keptJobs: number;
}

/**
 * Creates the tables of the backup's time and fills them in one transaction, then migrates. Where it ends after the
 * transaction, the next start does the rest.
 *
 * @throws MigrationError where the database is not empty, or where this program is older than the backup.
 */
export async function restoreDatabase(options: RestoreDatabaseOptions): Promise<RestoredDatabase> {
  const { address, log, heading, formerDirectory, directory, jobs, now } = options;
  const { newer } = planMigrations((await readSchema(directory)).migrations, heading.migrations);
  if (newer.length > 0) {
    throw new MigrationError(
      `The backup was made by release ${heading.release}, which is later than this program. Restore it with that release.`,
    );
  }
  let added: readonly string[] = [];
  let removedCodes = 0;
  let droppedJobs: DroppedJobs = {};
  await migrate({
    address,
    directory: formerDirectory,
    log,
    release: heading.release,
    async fill(client) {
      added = await fillTables(client, heading, options.contents());
      if (options.inspect !== undefined) await inspectTables(client, heading.tables, options.inspect);
      removedCodes = await removeOneTimeCodes(client, heading.tables);
      droppedJobs = await keepJobs(client, jobs, now);
    },
  });
  await migrate({ address, directory, log });
  const dropped = Object.values(droppedJobs).reduce((sum, count) => sum + count, 0);
  return { added, removedCodes, droppedJobs, keptJobs: jobs.length - dropped };
}

async function inspectTables(
  client: Client,
  tables: readonly BackedUpTable[],
  inspect: (table: BackedUpTable, sum: TableSum) => void,
): Promise<void> {
  await client.query("set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 3");
  for (const table of tables) inspect(table, await sumTable(client, table));
}

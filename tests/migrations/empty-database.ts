import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { dropDatabase } from '#tests/support/clusters/drop-database.ts';
import { onCluster } from '#tests/support/clusters/make-template.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { databaseFolder } from './migration-folder.ts';

export interface EmptyDatabase {
  readonly address: PostgresAddress;
  /** Runs one statement on its own connection. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database that nothing has been migrated into. */
export async function createEmptyDatabase(cluster: PostgresAddress): Promise<EmptyDatabase> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await onCluster(cluster, `create database ${name} template template0 encoding 'UTF8'`);
  const address = { ...cluster, database: name };
  return {
    address,
    async query<Row extends object>(text: string, values: unknown[] = []) {
      const client = new Client(address);
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    drop: () => dropDatabase(cluster, name),
  };
}

/** A database at the baseline, without any table of ours, for the rest of the test. */
export async function createBareDatabase(cluster: PostgresAddress): Promise<EmptyDatabase> {
  const database = await createEmptyDatabase(cluster);
  onTestFinished(database.drop);
  await migrate({ address: database.address, directory: await databaseFolder({}), log: quietLog });
  return database;
}

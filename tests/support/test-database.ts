import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { dropDatabase } from './clusters/drop-database.ts';
import { onCluster, TEMPLATE } from './clusters/make-template.ts';
import { thisCluster } from './clusters/this-cluster.ts';

/** A migrated database of one test file's own. */
export interface TestDatabase {
  readonly address: PostgresAddress;
  /** Connections as the account that migrated, which bypass row-level security: for seeding and for checking rows. */
  readonly pool: Pool;
  /** One statement over that pool; resolves with the rows. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * Makes a database for the test file that calls it, at the top of the file: `const database = await
 * createTestDatabase()`. It is gone when the file's tests are done.
 *
 * @param connections - How many its pool has at once.
 */
export async function createTestDatabase({ connections = 4 } = {}): Promise<TestDatabase> {
  const { address: cluster } = thisCluster();
  const database = await cloneTemplate(cluster, connections);
  afterAll(database.drop);
  return database;
}

/** A copy of the cluster's template that lasts until it is dropped. */
async function cloneTemplate(
  cluster: PostgresAddress,
  connections: number,
): Promise<TestDatabase & { drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onCluster(cluster, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const address = { ...cluster, database: name };
  const pool = new Pool({ ...address, max: connections });
  // Dropping the database by force ends connections that a test left open, in the pool or on their way out of it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    address,
    pool,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    drop: async () => {
      await pool.end();
      await dropDatabase(cluster, name);
    },
  };
}

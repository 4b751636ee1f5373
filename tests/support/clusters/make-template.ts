import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { keepingLog } from '../quiet-log.ts';

/** Where the product's own tables, functions, and migrations are. */
export const DATABASE_FOLDER = fileURLToPath(new URL('../../../database', import.meta.url));

/** The migrated database that every test database is a copy of. */
export const TEMPLATE = 'reunite_template';

/**
 * Creates and migrates the template. Afterwards no connections are allowed: PostgreSQL refuses to copy a database that
 * is in use.
 */
export async function makeTemplate(cluster: PostgresAddress): Promise<void> {
  await onCluster(cluster, `create database ${TEMPLATE} template template0 encoding 'UTF8'`);
  const log = keepingLog();
  await migrate({ address: { ...cluster, database: TEMPLATE }, directory: DATABASE_FOLDER, log });
  await onCluster(cluster, `alter database ${TEMPLATE} with allow_connections false`);
}

/** Runs one statement in the cluster's own database. */
export async function onCluster(cluster: PostgresAddress, statement: string): Promise<void> {
  const client = new Client(cluster);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

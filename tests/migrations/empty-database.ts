import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { onCluster } from '#tests/support/clusters/make-template.ts';

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
    drop: () => onCluster(cluster, `drop database ${name} with (force)`),
  };
}

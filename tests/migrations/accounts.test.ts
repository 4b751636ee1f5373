import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { DATABASE_FOLDER, onCluster } from '#tests/support/clusters/make-template.ts';
import { startCluster } from '#tests/support/clusters/start-cluster.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

interface OwnCluster {
  /** Of the account that owns the database. */
  readonly address: PostgresAddress;
  readonly asSuperuser: (statement: string) => Promise<unknown>;
}

/** A new cluster with a database that belongs to an account without a superuser's rights. */
async function clusterWith(attributes: string): Promise<OwnCluster> {
  const cluster = await startCluster(thisCluster().engine);
  onTestFinished(cluster.stop);
  const password = randomBytes(16).toString('hex');
  const client = new Client(cluster.address);
  await client.connect();
  // A superuser prepares what managed services do not allow others.
  await client.query('create role service_role nologin noinherit bypassrls');
  await client.query(`create role operator login ${attributes} password '${password}'`);
  await client.query('grant service_role to operator with admin option');
  await client.query(`create database product owner operator template template0 encoding 'UTF8'`);
  await client.end();
  return {
    address: { ...cluster.address, user: 'operator', password, database: 'product' },
    asSuperuser: (statement) => onCluster(cluster.address, statement),
  };
}

test('an account with CREATEROLE and BYPASSRLS migrates a database of its own', async () => {
  const { address } = await clusterWith('createrole bypassrls');
  await migrate({ address, directory: DATABASE_FOLDER, log: quietLog });
  expect(await migrate({ address, directory: DATABASE_FOLDER, log: quietLog })).toEqual([]);
});

test('an account that row-level security binds is refused with the missing right', async () => {
  const { address } = await clusterWith('createrole');
  await expect(migrate({ address, directory: DATABASE_FOLDER, log: quietLog })).rejects.toThrow(
    'The database account "operator" is bound by row-level security. Run once as a superuser:',
  );
});

test('an account that lost the right to act as the roles, as after a restore elsewhere, is refused with the remedy', async () => {
  const { address, asSuperuser } = await clusterWith('createrole bypassrls');
  await migrate({ address, directory: DATABASE_FOLDER, log: quietLog });
  const startAgain = () => migrate({ address, directory: DATABASE_FOLDER, log: quietLog });

  await asSuperuser('revoke anon, authenticated from operator cascade');
  await expect(startAgain()).rejects.toThrow(
    'The database account "operator" may not act as anon, authenticated, as after a restore into another PostgreSQL. Run once as a superuser: grant anon, authenticated to "operator"',
  );
  await asSuperuser('grant anon, authenticated to operator');
  expect(await startAgain()).toEqual([]);

  await asSuperuser('alter role service_role nobypassrls');
  await expect(startAgain()).rejects.toThrow('alter role service_role bypassrls');
});

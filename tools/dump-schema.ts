import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { migrate } from '#server/postgres/migrate.ts';
import { startEmbeddedCluster } from '#tests/support/clusters/start-embedded-cluster.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { describeSchema } from './schema/describe-schema.ts';

/** Writes database/schema.sql: the schema of a new database after all migrations. */
const target = fileURLToPath(new URL('../database/schema.sql', import.meta.url));
const directory = fileURLToPath(new URL('../database/migrations', import.meta.url));

const cluster = await startEmbeddedCluster();
try {
  await migrate({ address: cluster.address, directory, log: quietLog });
  const client = new Client(cluster.address);
  await client.connect();
  try {
    await writeFile(target, await describeSchema(client));
  } finally {
    await client.end();
  }
} finally {
  await cluster.stop();
}
console.log('database/schema.sql is what a new database has.');

import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { sumTable } from '#server/postgres/backup/fill-tables.ts';
import { describeTables, tablesIn } from '#server/postgres/backup/own-tables.ts';
import { readSchema } from '#server/postgres/migrations/read-schema.ts';
import { DATABASE_FOLDER, onCluster } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { runCommandLine } from '#tools/operator/run-command-line.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A service by its settings. */
interface BackedUp {
  readonly address: PostgresAddress;
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs `npm run reunite -- backup …` for the service with this database and data folder. */
export async function runBackup(
  { address, folder, environment = {} }: BackedUp,
  ...words: readonly string[]
): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommandLine(['backup', ...words], {
    env: { DATABASE_URL: urlOf(address), DATA_DIRECTORY: folder, ...environment },
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

/** Makes a backup in the folder, by default the one in the data folder, and returns its file. */
export async function makeBackup(of: BackedUp, folder?: string): Promise<string> {
  const { stdout, stderr } = await runBackup(of, 'create', ...(folder === undefined ? [] : ['--folder', folder]));
  const [file = ''] = stdout.split('\n');
  if (!file.endsWith('.tar')) throw new Error(`No backup was made: ${stderr}`);
  return file;
}

export function urlOf({ host = '', port, user, password, database }: PostgresAddress): string {
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : '';
  return `postgres://${user}${secret}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** An empty database on the cluster of this run, until the test is done. */
export async function emptyDatabase(): Promise<PostgresAddress> {
  const { address } = thisCluster();
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await onCluster(address, `create database ${name} encoding 'UTF8' template template0`);
  whenDone(() => onCluster(address, `drop database ${name} with (force)`));
  return { ...address, database: name };
}

/** Runs statements on a database of any name. */
export async function withClient<Result>(
  address: PostgresAddress,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(address);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The number of rows and the checksum of each table that a backup has. */
export function sumsOf(address: PostgresAddress): Promise<Record<string, string>> {
  return withClient(address, async (client) => {
    await client.query("set timezone = 'UTC'");
    const names = tablesIn((await readSchema(DATABASE_FOLDER)).tables, 'logged');
    const sums: Record<string, string> = {};
    for (const table of await describeTables(client, names)) {
      const { rows, sha256 } = await sumTable(client, table);
      sums[table.name] = `${rows} ${sha256}`;
    }
    return sums;
  });
}

import { Client, type ClientConfig } from 'pg';

/** Makes the database where it is missing. The name is a constant of ours. */
export async function createDatabase(server: ClientConfig, name: string): Promise<void> {
  const client = new Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

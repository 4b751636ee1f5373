import { Client, DatabaseError } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';

/** `object_in_use`. */
const IN_USE = '55006';

/**
 * Ends a test database's sessions and drops it. PostgreSQL gives the sessions five seconds to end, and on a busy
 * machine one can take longer: it is tried for half a minute. Rejects after that, and says what the sessions were doing.
 */
export async function dropDatabase(cluster: PostgresAddress, name: string): Promise<void> {
  const client = new Client(cluster);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await drop(client, name, 6);
  } finally {
    await client.end();
  }
}

async function drop(client: Client, name: string, tries: number): Promise<void> {
  try {
    await client.query(`drop database ${name} with (force)`);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== IN_USE) throw error;
    if (tries === 1) throw new Error(`${error.message}: ${await sessionsOf(client, name)}`, { cause: error });
    await drop(client, name, tries - 1);
  }
}

async function sessionsOf(client: Client, name: string): Promise<string> {
  const { rows } = await client.query(
    `select pid, application_name, backend_type, state, wait_event_type, wait_event, left(query, 200) as query
       from pg_stat_activity where datname = $1`,
    [name],
  );
  return JSON.stringify(rows);
}

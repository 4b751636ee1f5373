import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { whenDone } from './when-done.ts';

/**
 * Opens a connection that is closed when the test is done, or the file if opened at its top. Losing the database
 * earlier, as when a test fails half-way, is not reported as a further failure.
 */
export async function connectTo(address: PostgresAddress): Promise<Client> {
  const client = new Client(address);
  client.on('error', () => undefined);
  whenDone(() => client.end());
  await client.connect();
  return client;
}

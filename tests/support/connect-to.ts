import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { whenDone } from './when-done.ts';

/**
 * A connection of a test's own, which is ended when the test is done, or the file where it was made at the top. Where
 * its database goes away before it, as it does when a test fails half-way, that is no failure beside the test's.
 */
export async function connectTo(address: PostgresAddress): Promise<Client> {
  const client = new Client(address);
  client.on('error', () => undefined);
  whenDone(() => client.end());
  await client.connect();
  return client;
}

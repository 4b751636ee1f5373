import type { Client } from 'pg';
import type { PostgresAddress } from '../address.ts';
import { PrimaryClient } from '../primary-client.ts';

/** Opens a connection of its own for `work`, as the account that migrates. */
export async function withClient<Result>(
  address: PostgresAddress,
  name: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new PrimaryClient({ ...address, application_name: name });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

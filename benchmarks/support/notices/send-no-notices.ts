import { Client } from 'pg';
import type { BenchmarkDatabase } from '../start-database.ts';

/** Each message would be followed by an email, which no server takes in a benchmark. */
export async function sendNoNotices({ address }: BenchmarkDatabase): Promise<void> {
  const client = new Client(address);
  await client.connect();
  await client.query('alter table public.messages disable trigger messages_enqueue_notice');
  await client.end();
}

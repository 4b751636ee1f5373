import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { withoutIndexes } from './without-indexes.ts';

const TABLES = ['public.conversations', 'public.messages'];

/** Adds a conversation of one message, which its owner has read, to every item. */
export async function addMessages(address: PostgresAddress): Promise<void> {
  const client = new Client(address);
  await client.connect();
  try {
    // Triggers and foreign keys are not measured here.
    await client.query('set session_replication_role = replica');
    await withoutIndexes(client, TABLES, async () => {
      await client.query(`
        insert into public.conversations (item_id, owner_id, finder_key_hash, created_at)
          select id, user_id, sha256(id::text::bytea), now() - interval '2 days' from public.items
      `);
      await client.query(`
        insert into public.messages (conversation_id, item_id, owner_id, sender, body, created_at, read_at)
          select id, item_id, owner_id, 'finder', 'I found it near the station.', created_at, created_at
            from public.conversations
      `);
    });
    await client.query(`vacuum (analyze, freeze) ${TABLES.join(', ')}`);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

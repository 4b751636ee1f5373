import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';

export interface PhotographedItem {
  readonly id: string;
  readonly owner: string;
  /** A session of the owner. */
  readonly session: string;
}

/** Gives every item a photo, as an object of its owner in two sizes, and resolves with items at random. */
export async function addPhotos(address: PostgresAddress, items: number): Promise<PhotographedItem[]> {
  const client = new Client(address);
  await client.connect();
  try {
    // Triggers and foreign keys are not measured here.
    await client.query('set session_replication_role = replica');
    await client.query(`update public.items set photo = replace(id::text, '-', '') || '.webp'`);
    await client.query(`
      insert into storage.objects (bucket_id, name, owner, owner_id, metadata, renditions, created_at)
        select 'item-photos', photo, user_id, user_id::text, '{"size": 60000, "mimetype": "image/webp"}',
            jsonb_build_array(jsonb_build_object('version', gen_random_uuid(), 'width', 320)), now() - interval '2 days'
          from public.items
    `);
    await client.query('vacuum (analyze, freeze) public.items, storage.objects');
    await client.query('checkpoint');
    const { rows } = await client.query<PhotographedItem>(
      `with chosen as materialized (select id, user_id as owner from public.items order by random() limit $1),
        sessions as (insert into auth.sessions (user_id) select distinct owner from chosen returning id, user_id)
        select chosen.id, owner, sessions.id as session from chosen join sessions on sessions.user_id = owner`,
      [items],
    );
    return rows;
  } finally {
    await client.end();
  }
}

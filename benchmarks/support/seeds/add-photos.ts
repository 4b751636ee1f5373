import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface PhotographedItem {
  readonly id: string;
  readonly code: string;
  readonly owner: string;
  /** A session of the owner. */
  readonly session: string;
}

/** Adds the photo that every item names, as an object of its owner in two sizes. */
export async function addPhotos(address: PostgresAddress): Promise<void> {
  const client = new Client(address);
  await client.connect();
  try {
    // Triggers and foreign keys are not measured here.
    await client.query('set session_replication_role = replica');
    await withoutIndexes(client, ['storage.objects'], async () => {
      await client.query(`
      insert into storage.objects (bucket_id, name, owner, owner_id, metadata, renditions, created_at)
        select 'item-photos', photo, user_id, user_id::text, '{"size": 60000, "mimetype": "image/webp"}',
            jsonb_build_array(jsonb_build_object('version', gen_random_uuid(), 'width', 320)), now() - interval '2 days'
          from public.items
      `);
    });
    await client.query('vacuum (analyze, freeze) storage.objects');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Resolves with so many items that have a photo, chosen at random, each with a new session of its owner. */
export async function choosePhotographed(address: PostgresAddress, items: number): Promise<PhotographedItem[]> {
  const client = new Client(address);
  await client.connect();
  try {
    const { rows } = await client.query<PhotographedItem>(
      `with chosen as materialized (select id, qr_id as code, user_id as owner
            from public.items tablesample bernoulli ((select least(100, greatest(1, 120.0 * $1 / count(*))) from public.items))
            where photo is not null order by random() limit $1),
        sessions as (insert into auth.sessions (user_id) select distinct owner from chosen returning id, user_id)
        select chosen.id, code, owner, sessions.id as session from chosen join sessions on sessions.user_id = owner`,
      [items],
    );
    return rows;
  } finally {
    await client.end();
  }
}

import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface Seeded {
  readonly owners?: number;
  /** Whether each item names a photo; its object is not added here. */
  readonly photos?: boolean;
}

const TABLES = ['auth.users', 'public.profiles', 'public.qr_codes', 'public.items'];

/**
 * Fills the tables with owners and items, all with open contact methods and their own names, and resolves with codes
 * chosen at random from the whole table. Triggers and foreign keys are disabled meanwhile, because they are not
 * measured.
 */
export async function seedItems(
  address: PostgresAddress,
  items: number,
  codes: number,
  { owners = 50_000, photos = false }: Seeded = {},
): Promise<string[]> {
  const client = new Client(address);
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await withoutIndexes(client, TABLES, async () => {
      await client.query(
        `insert into auth.users (id, email, email_confirmed_at)
           select md5('owner' || n)::uuid, 'owner-' || n || '@example.com', now() from generate_series(1, $1::int) as n`,
        [owners],
      );
      await client.query(
        `insert into public.profiles (id, full_name, email, phone)
           select id, 'Owner ' || left(id::text, 8), email, '+972501234567' from auth.users`,
      );
      await client.query(
        `insert into public.qr_codes (qr_id, owner_id, claimed_at)
           select 'tgt-' || substr(md5('code' || n), 1, 20), md5('owner' || (n % $2 + 1))::uuid, now()
             from generate_series(1, $1::int) as n`,
        [items, owners],
      );
      await client.query(
        `insert into public.items (qr_id, user_id, item_type, item_name, description, photo)
           select qr_id, owner_id, 'keys', 'Keys ' || right(qr_id, 6), 'Three keys on a blue ring',
               case when $1 then md5('photo' || qr_id) || '.webp' end
             from public.qr_codes`,
        [photos],
      );
    });
    // So that neither autovacuum nor a checkpoint starts during a round.
    await client.query(`vacuum (analyze, freeze) ${TABLES.join(', ')}`);
    await client.query('checkpoint');
    const { rows } = await client.query<{ qr_id: string }>(
      'select qr_id from public.items tablesample bernoulli ($2) order by random() limit $1',
      // Slightly more than needed, because a sample is not exact.
      [codes, Math.min(100, Math.max(10, (120 * codes) / items))],
    );
    return rows.map(({ qr_id }) => qr_id);
  } finally {
    await client.end();
  }
}

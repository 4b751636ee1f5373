import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface Seeded {
  readonly owners?: number;
  /** Whether each item names a photo; its object is not added here. */
  readonly photos?: boolean;
}

const TABLES = ['auth.users', 'public.profiles', 'public.qr_codes', 'public.items'];

/** Fills the tables as `addItems` does, and resolves with codes chosen at random. */
export async function seedItems(address: PostgresAddress, items: number, codes: number): Promise<string[]> {
  await addItems(address, items);
  return chooseCodes(address, codes);
}

/**
 * Fills the tables with owners and items, all with open contact methods and their own names. Triggers and foreign keys
 * are disabled meanwhile, because they are not measured.
 */
export async function addItems(
  address: PostgresAddress,
  items: number,
  { owners = 50_000, photos = false }: Seeded = {},
): Promise<void> {
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
  } finally {
    await client.end();
  }
}

/** Resolves with codes of items, chosen at random from the whole table. */
export async function chooseCodes(address: PostgresAddress, codes: number): Promise<string[]> {
  const client = new Client(address);
  await client.connect();
  try {
    const { rows } = await client.query<{ qr_id: string }>(
      // Slightly more than needed, because a sample is not exact.
      `select qr_id from public.items tablesample bernoulli (
           (select least(100, greatest(10, 120.0 * $1 / greatest(1, count(*)))) from public.items))
         order by random() limit $1`,
      [codes],
    );
    return rows.map(({ qr_id }) => qr_id);
  } finally {
    await client.end();
  }
}

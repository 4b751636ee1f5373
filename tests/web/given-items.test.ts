import { expect, test } from 'vitest';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

interface GivenPage {
  readonly given: readonly { readonly id: string; readonly given_at: string; readonly item_name: string }[];
  readonly has_more: boolean;
}

test('a former owner reaches every record, also where a hundred items were given away in one moment', async () => {
  const { client, user } = await registerOwner(server);
  await database.query(
    `insert into public.items (qr_id, user_id, item_type, item_name)
       select 'tgt-' || left(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), 16), $1, 'book', 'Book ' || n from generate_series(1, 250) as n`,
    [user.id],
  );
  await database.query(
    `update public.items set qr_id = null, given_at = case
         when number <= 150 then timestamptz '2026-01-01' else timestamptz '2026-02-01' - number * interval '1 second'
       end
       from (select id as named, substr(item_name, 6)::int as number from public.items where user_id = $1) as numbered
       where id = named`,
    [user.id],
  );
  const pages: GivenPage[] = [];
  for (let cursor = {}; pages.at(-1)?.has_more !== false; ) {
    const page: GivenPage = (await client.rpc('list_given_items', cursor, { get: true }).throwOnError()).data;
    pages.push(page);
    const last = page.given.at(-1);
    cursor = { before_given_at_param: last?.given_at, before_id_param: last?.id };
  }
  expect(pages.map(({ given }) => given.length)).toEqual([100, 100, 50]);
  const names = pages.flatMap(({ given }) => given.map(({ item_name }) => item_name));
  expect(new Set(names).size).toBe(250);
  expect(names.slice(0, 2)).toEqual(['Book 151', 'Book 152']);

  const oldest = pages.at(-1)?.given.at(-1);
  const { data } = await client.rpc('find_given_item', { item_id_param: oldest?.id }).throwOnError();
  expect(data).toEqual(oldest);
  // The last page may be full.
  await database.query("delete from public.items where user_id = $1 and given_at = '2026-01-01'", [user.id]);
  expect((await client.rpc('list_given_items').throwOnError()).data).toMatchObject({ has_more: false });
});

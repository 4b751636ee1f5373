import { describe, expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { rehearse } from '#tests/support/act-as.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { attempt } from './attempt.ts';
import { accountOf, callerOf, seed } from './seed.ts';

/**
 * Harvesting: the queries that a visitor would use to collect people and items, each with matching rows in the
 * database. Only a lookup of one exact code, through the finder's function, returns something.
 */
const database = await createTestDatabase();
const seeded = await seed(database);
const { account, item } = seeded.owner;

const HARVESTS: readonly (readonly [what: string, query: string, values: readonly unknown[]])[] = [
  ['profiles by id', 'select * from public.profiles where id = $1', [account.id]],
  ['profiles by email', 'select id, email from public.profiles where email = $1', [account.email]],
  [
    'profiles by one thing or another',
    'select * from public.profiles where id = $1 or email is not null',
    [account.id],
  ],
  ['items by the beginning of a code', 'select * from public.items where qr_id like $1', ['tgt-%']],
  ['items after a code', 'select * from public.items where qr_id > $1 order by qr_id', ['tgt-']],
  ['items in order', 'select * from public.items order by created_at desc limit $1', [1000]],
  ['a page of items', 'select * from public.items order by id offset 0 limit $1', [10]],
  ['an item by its very code', 'select * from public.items where qr_id = $1', [item.qrId]],
  ['items of an owner', 'select * from public.items where user_id = $1', [account.id]],
  [
    'items with their owners',
    'select * from public.items join public.profiles on profiles.id = items.user_id where qr_id = $1',
    [item.qrId],
  ],
];

describe.each(HARVESTS)('%s', (_, query, values) => {
  test('finds rows for the service role, so that the query is a real one', async () => {
    expect((await database.query(query, [...values])).length).toBeGreaterThan(0);
  });

  test.each(['anon', 'stranger'] as const)('gives %s no row of another account [C22]', async (name) => {
    await rehearse(database, async (client) => {
      const { refused, rows } = await attempt(client, callerOf(name, seeded), query, values);
      expect(refused).toBeNull();
      // A stranger has one row to see: the profile of the stranger.
      expect(rows.filter((row) => row.id !== accountOf(name, seeded))).toEqual([]);
    });
  });
});

test.each(['public.profiles', 'public.items'])('a visitor counts no rows in %s [C22]', async (relation) => {
  await rehearse(database, async (client) => {
    const { rows } = await attempt(client, VISITOR, `select count(*)::int as count from ${relation}`);
    expect(rows).toEqual([{ count: 0 }]);
  });
});

test.each(['public.qr_codes', 'public.messages', 'public.conversations', 'public.channel_openings', 'auth.users'])(
  'a visitor may not query %s',
  async (relation) => {
    await rehearse(database, async (client) => {
      expect((await attempt(client, VISITOR, `select count(*) from ${relation}`)).refused).toBe('no privilege');
    });
  },
);

test('only a look-up by the exact code returns a row [C22]', async () => {
  const find = 'select public.find_item($1) as item';
  await rehearse(database, async (client) => {
    expect((await attempt(client, VISITOR, find, [item.qrId])).rows[0]?.item).toMatchObject({
      item_name: item.itemName,
    });
    for (const guess of ['tgt-%', 'tgt-', item.qrId.toUpperCase(), `${item.qrId} `, item.qrId.slice(0, -1), '*', '']) {
      expect((await attempt(client, VISITOR, find, [guess])).rows).toEqual([{ item: null }]);
    }
  });
});

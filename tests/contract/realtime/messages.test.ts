import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { watch } from './watch.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const another = await startTestServer(database, { secrets: server.secrets });

const owner = await createOwner(database);
const stranger = await createOwner(database);
const item = await createItem(database, owner);
const ownMessages = {
  event: 'INSERT',
  schema: 'public',
  table: 'messages',
  filter: `owner_id=eq.${owner.id}`,
} as const;

test('a message reaches its owner once, and no stranger or visitor, whatever they subscribe to [F42]', async () => {
  const mine = await watch(server.client({ token: await server.token({ sub: owner.id }) }), ownMessages);
  const everything = { event: '*', schema: 'public' } as const;
  const strangers = await watch(
    server.client({ token: await server.token({ sub: stranger.id }) }),
    ownMessages,
    everything,
  );
  const visitors = await watch(server.client(), ownMessages, everything, { event: '*', schema: '*' });
  expect(mine.statuses).toEqual(['SUBSCRIBED']);
  expect(mine.system[0]).toMatchObject({
    extension: 'postgres_changes',
    status: 'ok',
    message: 'Subscribed to PostgreSQL',
  });

  const first = await sendMessage(database, item, 'I found your keys 🔑');
  const second = await sendMessage(database, item, 'Are you there?');

  const payloads = await mine.until(2);
  expect(payloads.map((payload) => payload.new)).toMatchObject([
    { id: first, owner_id: owner.id, item_id: item.id, sender: 'finder', body: 'I found your keys 🔑' },
    { id: second, body: 'Are you there?' },
  ]);
  expect(payloads[0]).toMatchObject({ schema: 'public', table: 'messages', eventType: 'INSERT', errors: null });
  expect(Date.parse(payloads[0]?.commit_timestamp ?? '')).toBeGreaterThan(Date.now() - 60_000);

  // A change that all may see comes after those that they may not see.
  await createItem(database, stranger);
  await strangers.until(1);
  expect(strangers.payloads.map(({ table }) => table)).toEqual(['items']);
  expect(visitors.payloads).toEqual([]);
  expect(mine.payloads).toHaveLength(2);
});

test('two servers on one database both deliver', async () => {
  const here = await watch(server.client({ token: await server.token({ sub: owner.id }) }), ownMessages);
  const there = await watch(another.client({ token: await another.token({ sub: owner.id }) }), ownMessages);
  const id = await sendMessage(database, item, 'To both');
  for (const watched of [here, there]) {
    expect((await watched.until(1)).map((payload) => payload.new)).toMatchObject([{ id, body: 'To both' }]);
  }
});

test('a rolled back transaction is delivered to no subscriber, and committed ones arrive in order', async () => {
  const mine = await watch(server.client({ token: await server.token({ sub: owner.id }) }), {
    ...ownMessages,
    event: '*',
  });
  const client = await database.pool.connect();
  const insert = `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
    select id, item_id, owner_id, 'finder', $1 from public.conversations where item_id = $2 limit 1`;
  try {
    await client.query('begin');
    await client.query(insert, ['never', item.id]);
    await client.query('rollback');
    await client.query('begin');
    for (const body of ['a', 'b', 'c']) await client.query(insert, [body, item.id]);
    await client.query("update public.messages set read_at = now() where body = 'b'");
    await client.query('commit');
  } finally {
    client.release();
  }
  const payloads = await mine.until(4);
  expect(payloads.map(({ eventType, new: row }) => [eventType, (row as { body: string }).body])).toEqual([
    ['INSERT', 'a'],
    ['INSERT', 'b'],
    ['INSERT', 'c'],
    ['UPDATE', 'b'],
  ]);
});

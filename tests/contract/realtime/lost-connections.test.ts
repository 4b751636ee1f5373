import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket } from './raw-socket.ts';
import { watch } from './watch.ts';

const database = await createTestDatabase();
const owner = await createOwner(database);
const item = await createItem(database, owner);
const messages = { event: 'INSERT', schema: 'public', table: 'messages', filter: `owner_id=eq.${owner.id}` } as const;

test('a client reconnects to a restarted server and receives the changes after that [F45]', async () => {
  const first = await startTestServer(database);
  const client = first.client({ token: await first.token({ sub: owner.id }, 86_400) });
  const mine = await watch(client, messages);
  const raw = await openRawSocket(first.url, first.secrets.publishableKey);

  await first.stop();
  expect(await raw.closed).toBe(1012);
  await mine.when(() => mine.statuses.includes('CHANNEL_ERROR'));

  await startTestServer(database, {
    secrets: first.secrets,
    port: Number(new URL(first.url).port),
  });
  await mine.when(() => mine.statuses.at(-1) === 'SUBSCRIBED' && mine.system.length === 2);
  const id = await sendMessage(database, item);
  await mine.until(1);
  expect(mine.payloads[0]?.new).toMatchObject({ id });
});

test('a server that stops closes its sockets one after the other, and each hears of changes until then [K61]', async () => {
  const server = await startTestServer(database);
  const ends: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const { closed } = await openRawSocket(server.url, server.secrets.publishableKey);
    void closed.then(() => ends.push(performance.now()));
  }
  const mine = await watch(server.client({ token: await server.token({ sub: owner.id }) }), messages);
  const stopped = server.stop();
  await expect.poll(() => ends.length, { interval: 5 }).toBeGreaterThan(0);
  await sendMessage(database, item);
  await mine.until(1);
  expect(ends.length).toBeLessThan(20);
  await stopped;
  expect(ends).toHaveLength(20);
  expect((ends.at(-1) ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(400);
});

test('after a gap in the notifications every client subscribes again, and so reads again [F45]', async () => {
  const server = await startTestServer(database);
  const mine = await watch(server.client({ token: await server.token({ sub: owner.id }) }), messages);

  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'reunite notifications'`,
  );
  await mine.when(() => mine.statuses.join(' ') === 'SUBSCRIBED CHANNEL_ERROR SUBSCRIBED');
  await mine.when(() => mine.system.length === 2);
  const id = await sendMessage(database, item);
  await mine.until(1);
  expect(mine.payloads[0]?.new).toMatchObject({ id });
});

test('a change that cannot be read makes its subscribers subscribe again', async () => {
  await database.query(`
    create table public.fragile (id integer primary key, divisor integer);
    alter table public.fragile enable row level security;
    create policy "breaks" on public.fragile for select to authenticated using (1 / divisor > 0);
    grant select on public.fragile to authenticated;
    select realtime.publish_table('public.fragile');
  `);
  const server = await startTestServer(database);
  const mine = await watch(
    server.client({ token: await server.token({ sub: owner.id }) }),
    { ...messages },
    { event: '*', schema: 'public', table: 'fragile' },
  );
  await database.query('insert into public.fragile values (1, 0)');
  await mine.when(() => mine.statuses.includes('CHANNEL_ERROR'));
  await mine.when(() => mine.statuses.at(-1) === 'SUBSCRIBED' && mine.system.length === 2);
  const id = await sendMessage(database, item);
  await mine.until(1);
  expect(mine.payloads[0]?.new).toMatchObject({ id });
});

test('a client that reads nothing is dropped, and the others are still served [F45]', async () => {
  const server = await startTestServer(database);
  await database.query(`
    create table public.loud (id integer primary key, noise text);
    grant select on public.loud to anon;
    select realtime.publish_table('public.loud');
  `);
  const stalled = await openRawSocket(server.url, server.secrets.publishableKey);
  const loud = { event: 'INSERT', schema: 'public', table: 'loud' } as const;
  await stalled.ask('1', '1', 'realtime:loud', 'phx_join', { config: { postgres_changes: [loud] } });
  stalled.ws.pause();
  const reading = await watch(server.client(), loud);
  for (let round = 0; round < 16; round += 1) {
    await database.query(
      `insert into public.loud select ${round} * 100 + n, repeat('x', 20000) from generate_series(1, 100) as n`,
    );
    await reading.until((round + 1) * 100);
  }
  expect(reading.payloads).toHaveLength(1600);
  expect(server.logged.join('')).toContain('reads too slowly was dropped');
  stalled.ws.resume();
  expect(await stalled.closed).toBe(1006);
});

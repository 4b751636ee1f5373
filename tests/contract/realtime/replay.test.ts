import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { hear } from './hear.ts';
import { openRawSocket } from './raw-socket.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const owner = await createOwner(database);
await database.query(`create policy "all but what is whispered" on realtime.messages for select to authenticated
  using (extension = 'broadcast' and event is distinct from 'whisper')`);

const client = async () => server.client({ token: await server.token({ sub: owner.id }) });
const say = (topic: string, text: string, event = 'shout', isPrivate = true) =>
  database.query('select realtime.send($1, $2, $3, $4)', [{ text }, event, topic, isPrivate]);
const MINUTE_MS = 60_000;

test('who joins a private channel is told what SQL said on it before, the newest in their order, then what comes', async () => {
  for (const text of ['one', 'two', 'three']) await say('room', text);
  await say('room', 'not for this one', 'whisper');
  await say('room', 'in public', 'shout', false);
  await say('another room', 'elsewhere');
  const listener = await hear(await client(), 'room', {
    private: true,
    broadcast: { replay: { since: Date.now() - MINUTE_MS, limit: 2 } },
  });
  await listener.until(2);
  await say('room', 'four');
  await listener.until(3);
  expect(listener.heard).toMatchObject([
    { event: 'shout', payload: { text: 'two' }, meta: { id: expect.any(String), replayed: true } },
    { event: 'shout', payload: { text: 'three' }, meta: { replayed: true } },
    { event: 'shout', payload: { text: 'four' }, meta: { id: expect.any(String) } },
  ]);
  expect(listener.heard[2]?.meta).not.toHaveProperty('replayed');
});

test('what was said before the moment that is asked for is not told, and never more than 25', async () => {
  await database.query(
    "select realtime.send(jsonb_build_object('text', n), 'shout', 'busy') from generate_series(1, 30) as n",
  );
  await database.query(
    "update realtime.messages set inserted_at = inserted_at - interval '1 hour' where payload ->> 'text' = '30'",
  );
  const since = Date.now() - MINUTE_MS;
  const listener = await hear(await client(), 'busy', { private: true, broadcast: { replay: { since, limit: 1000 } } });
  await listener.until(25);
  await say('busy', 'the end');
  await listener.until(26);
  expect(listener.heard.map(({ payload }) => payload.text)).toEqual([
    ...Array.from({ length: 25 }, (_, index) => index + 5),
    'the end',
  ]);
});

test.each([
  ['on a public channel', { broadcast: { replay: { since: 0 } } }, 'Replay is not allowed for public channels'],
  ['without a time', { private: true, broadcast: { replay: {} } }, 'Replay params are not valid'],
  ['since a word', { private: true, broadcast: { replay: { since: 'noon' } } }, 'Replay params are not valid'],
  ['since the end of time', { private: true, broadcast: { replay: { since: 1e300 } } }, 'Replay params are not valid'],
  [
    'of half a message',
    { private: true, broadcast: { replay: { since: 0, limit: 0.5 } } },
    'Replay params are not valid',
  ],
])('a replay %s is refused', async (_case, config, reason) => {
  const socket = await openRawSocket(server.url, server.secrets.publishableKey);
  const access_token = await server.token({ sub: owner.id });
  expect(await socket.ask('1', '1', 'realtime:room', 'phx_join', { config, access_token })).toEqual({
    status: 'error',
    response: { reason: `UnableToReplayMessages: ${reason}` },
  });
  socket.ws.close();
});

test('a client that asks for it is told that broadcasts from the database reach it', async () => {
  const channel = server.client().channel('ready', { config: { broadcast: { replication_ready: true } } });
  const told = new Promise((resolve) => channel.on('system', {}, resolve));
  channel.subscribe();
  expect(await told).toMatchObject({
    extension: 'system',
    status: 'ok',
    message: 'Replication connection established',
    channel: 'ready',
  });
});

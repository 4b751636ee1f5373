import { randomUUID } from 'node:crypto';
import { RealtimeClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { connectTo } from '#tests/support/connect-to.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket } from './raw-socket.ts';
import { watch } from './watch.ts';

const database = await createTestDatabase();
const clock = createTestClock();
const server = await startTestServer(database, { clock });
const key = server.secrets.publishableKey;
const owner = await createOwner(database);
const item = await createItem(database, owner);
const messages = { event: 'INSERT', schema: 'public', table: 'messages' } as const;
const config = { config: { postgres_changes: [messages] } };

async function session(): Promise<string> {
  const [row] = await database.query<{ id: string }>('insert into auth.sessions (user_id) values ($1) returning id', [
    owner.id,
  ]);
  return row?.id ?? '';
}

test('protocol 1.0.0 works as well', async () => {
  const client = new RealtimeClient(`${server.url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: key },
    vsn: '1.0.0',
  });
  await client.setAuth(await server.token({ sub: owner.id }));
  const channel = client.channel('one');
  const arrived = new Promise((resolve) => channel.on('postgres_changes' as 'system', messages as never, resolve));
  const live = new Promise((resolve) => channel.on('system', {}, resolve));
  channel.subscribe();
  expect(await live).toMatchObject({ status: 'ok', channel: 'one' });
  const id = await sendMessage(database, item);
  expect(await arrived).toMatchObject({ eventType: 'INSERT', new: { id } });
  await client.disconnect();
});

test('after the reply come the presences, the state of the subscriptions, and the readiness for broadcasts, in this order', async () => {
  const socket = await openRawSocket(server.url, key);
  const topic = 'realtime:order';
  const broadcast = { replication_ready: true };
  await socket.ask('1', '1', topic, 'phx_join', {
    config: { postgres_changes: [messages], presence: { enabled: true }, broadcast },
  });
  await socket.next(([, , , , payload]) => Object(payload).extension === 'system');
  expect(socket.frames.map(([, , , event, payload]) => [event, Object(payload).extension])).toEqual([
    ['phx_reply', undefined],
    ['presence_state', undefined],
    ['system', 'postgres_changes'],
    ['system', 'system'],
  ]);
  socket.ws.close();
});

test('a subscription to neither a schema nor a table is refused by a system message', async () => {
  const socket = await openRawSocket(server.url, key);
  const asked = { event: '*' };
  const reply = await socket.ask('1', '1', 'realtime:nothing', 'phx_join', { config: { postgres_changes: [asked] } });
  expect(reply).toMatchObject({ status: 'ok', response: { postgres_changes: [asked] } });
  expect(await socket.next(([, , , event]) => event === 'system')).toMatchObject({
    4: {
      extension: 'postgres_changes',
      status: 'error',
      message:
        'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: {"event":"*"}',
    },
  });
  socket.ws.close();
});

test('the reply to a join returns the request with an id, and a leave is acknowledged and closes the channel', async () => {
  const socket = await openRawSocket(server.url, key);
  const asked = [
    { event: 'INSERT', schema: 'public', table: 'items', filter: `user_id=eq.${owner.id}` },
    { event: '*', schema: 'public' },
  ];
  const reply = await socket.ask('7', '7', 'realtime:room', 'phx_join', {
    config: { postgres_changes: [...asked, null] },
  });
  expect(reply).toEqual({
    status: 'ok',
    response: { postgres_changes: asked.map((binding) => ({ id: expect.any(Number), ...binding })) },
  });
  await socket.next(([, , , event]) => event === 'system');
  expect(await socket.ask('7', '8', 'realtime:room', 'phx_leave', {})).toEqual({ status: 'ok', response: {} });
  expect(await socket.next(([, , , event]) => event === 'phx_close')).toEqual([
    '7',
    '7',
    'realtime:room',
    'phx_close',
    {},
  ]);
  socket.ws.close();
});

test('a topic that is joined again closes the channel before it', async () => {
  const socket = await openRawSocket(server.url, key);
  await socket.ask('1', '1', 'realtime:room', 'phx_join', {});
  await socket.ask('2', '2', 'realtime:room', 'phx_join', {});
  expect(socket.frames.find(([, , , event]) => event === 'phx_close')).toEqual([
    '1',
    '1',
    'realtime:room',
    'phx_close',
    {},
  ]);
  expect(await socket.ask('1', '3', 'realtime:room', 'presence', {})).toMatchObject({
    response: { reason: 'unmatched topic' },
  });
  socket.ws.close();
});

test.each([
  ['another topic', 'room', {}, 'unmatched topic'],
  ['no topic name', 'realtime:', {}, 'TopicNameRequired: You must provide a topic name'],
  [
    'a private channel',
    'realtime:p',
    { config: { private: 'true' } },
    'Unauthorized: You do not have permissions to read from this Channel topic: p',
  ],
  [
    'a word as its token',
    'realtime:a',
    { access_token: 'nonsense' },
    'MalformedJWT: The token provided is not a valid JWT',
  ],
  [
    'a wrong type',
    'realtime:a',
    { config: { postgres_changes: [{ event: '*', schema: ['public'] }] } },
    'MalformedSubscription',
  ],
  [
    'too many subscriptions',
    'realtime:a',
    { config: { postgres_changes: Array(51).fill(messages) } },
    'TooManyPostgresChanges',
  ],
  [
    'a subscription that it waits for and cannot have',
    'realtime:a',
    {
      config: {
        postgres_changes: [{ event: '*', schema: 'public', table: 'profiles' }],
        postgres_changes_options: { wait: true },
      },
    },
    'RealtimeDisabledForConfiguration: Unable to subscribe',
  ],
])('a join with %s is refused', async (_, topic, payload, reason) => {
  const socket = await openRawSocket(server.url, key);
  const reply = await socket.ask('1', '1', topic, 'phx_join', payload);
  expect(reply.status).toBe('error');
  expect(reply.response.reason).toContain(reason);
  socket.ws.close();
});

test('a join with an expired token gets the time of its expiry', async () => {
  const socket = await openRawSocket(server.url, key);
  const token = await server.token({ sub: owner.id }, -120);
  const { status, response } = await socket.ask('1', '1', 'realtime:a', 'phx_join', { access_token: token });
  expect(status).toBe('error');
  expect(response.reason).toMatch(/^InvalidJWTToken: Token has expired 12\d seconds ago$/);
  socket.ws.close();
});

test('an unknown event, and a malformed broadcast or presence, are refused and never acknowledged', async () => {
  const socket = await openRawSocket(server.url, key);
  await socket.ask('1', '1', 'realtime:room', 'phx_join', { config: { broadcast: { ack: true } } });
  const bad: [event: string, payload: unknown][] = [
    ['anything', {}],
    ['broadcast', {}],
    ['broadcast', { event: 'shout', payload: {}, meta: { persist: true } }],
    ['presence', { event: 'vanish' }],
    ['presence', { event: 'track', payload: 'here' }],
    ['presence', { event: 'track', payload: { text: 'x'.repeat(9_000) } }],
  ];
  for (const [place, [event, payload]] of bad.entries()) {
    expect(await socket.ask('1', `b${place}`, 'realtime:room', event, payload)).toMatchObject({ status: 'error' });
  }
  socket.ws.close();
});

test('a new token replaces the old one; a refused one closes the channel', async () => {
  const socket = await openRawSocket(server.url, key);
  await socket.ask('1', '1', 'realtime:room', 'phx_join', config);
  const reported = () => socket.frames.filter(([, , , event]) => event === 'postgres_changes').length;
  // A change is delivered to all its readers at once: when its owner has it, this socket was skipped.
  const owners = await watch(server.client({ token: await server.token({ sub: owner.id }) }), messages);
  await sendMessage(database, item, 'before');
  await owners.until(1);
  socket.send('1', '2', 'realtime:room', 'access_token', { access_token: key });
  socket.send('1', '3', 'realtime:room', 'access_token', { access_token: null });
  socket.send('1', '4', 'realtime:room', 'access_token', { access_token: await server.token({ sub: owner.id }) });
  await socket.next(() => socket.frames.filter(([, , , event]) => event === 'system').length === 2);
  await sendMessage(database, item, 'after');
  expect(await socket.next(([, , , event]) => event === 'postgres_changes')).toMatchObject({
    4: { data: { record: { body: 'after' } } },
  });
  expect(reported()).toBe(1);
  socket.send('1', '5', 'realtime:room', 'access_token', { access_token: 'a.b.c' });
  expect(
    await socket.next(
      ([, , , event, payload]) => event === 'system' && (payload as { extension: string }).extension === 'system',
    ),
  ).toMatchObject({
    4: { status: 'error', message: 'Failed to validate JWT signature', channel: 'room' },
  });
  await socket.next(([, , , event]) => event === 'phx_close');
  socket.ws.close();
});

test('a channel ends when its token does [F42]', async () => {
  const mine = await watch(server.client({ token: await server.token({ sub: owner.id }, 50) }), messages);
  // Less than a socket may be idle.
  clock.advance(51_000);
  await mine.when(() => mine.statuses.includes('CLOSED'));
  expect(mine.system.at(-1)).toMatchObject({ extension: 'system', status: 'error' });
  expect(mine.system.at(-1)?.message).toMatch(/^Token has expired \d+ seconds ago$/);
});

test('a channel ends with its session, and no token of that session joins again [F42]', async () => {
  const id = await session();
  const other = await session();
  const token = await server.token({ sub: owner.id, session_id: id });
  const mine = await watch(server.client({ token }), messages);
  const still = await watch(
    server.client({ token: await server.token({ sub: owner.id, session_id: other }) }),
    messages,
  );
  await database.query('delete from auth.sessions where id = $1', [id]);
  await mine.when(() => mine.statuses.includes('CLOSED'));
  expect(mine.system.at(-1)?.message).toBe('Session from session_id claim in JWT does not exist');

  const socket = await openRawSocket(server.url, key);
  expect(await socket.ask('1', '1', 'realtime:a', 'phx_join', { access_token: token })).toMatchObject({
    status: 'error',
    response: { reason: 'InvalidJWTToken: Session from session_id claim in JWT does not exist' },
  });
  socket.ws.close();
  const message = await sendMessage(database, item);
  await still.until(1);
  expect(still.payloads[0]?.new).toMatchObject({ id: message });
  expect(mine.payloads).toEqual([]);
});

test('a banned account’s token joins nothing [F42]', async () => {
  const banned = await createOwner(database);
  const [row] = await database.query<{ id: string }>('insert into auth.sessions (user_id) values ($1) returning id', [
    banned.id,
  ]);
  await database.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [banned.id]);
  const socket = await openRawSocket(server.url, key);
  for (const sessionId of [row?.id, randomUUID(), "x'; --"]) {
    const token = await server.token({ sub: banned.id, session_id: sessionId });
    const reply = await socket.ask('1', `${sessionId}`.slice(0, 60), 'realtime:a', 'phx_join', { access_token: token });
    expect(reply).toMatchObject({
      status: 'error',
      response: { reason: expect.stringContaining('Session from session_id') },
    });
  }
  socket.ws.close();
});

test('a socket that is silent is closed', async () => {
  const silent = await openRawSocket(server.url, key);
  clock.advance(76_000);
  expect(await silent.closed).toBe(1001);
});

test('a channel keeps its rights until a new token is checked; if that fails, the client joins again', async () => {
  const [room, held] = ['realtime:changing', 77_001];
  await database.query(`
    create function public.wait_for_test() returns boolean language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${held}); return true; end';
    grant execute on function public.wait_for_test() to authenticated;
    create policy "slow for strangers" on realtime.messages for select to authenticated
      using (realtime.topic() = 'changing' and case when auth.uid() = '${owner.id}' then true else public.wait_for_test() end)`);
  const stranger = await createOwner(database);
  const lock = await connectTo(database.address);
  await lock.query('select pg_advisory_lock($1)', [held]);
  const socket = await openRawSocket(server.url, server.secrets.publishableKey);
  const joined = await socket.ask('1', '1', room, 'phx_join', {
    config: { private: true, postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'items' }] },
    access_token: await server.token({ sub: owner.id }),
  });
  expect(joined.status).toBe('ok');

  socket.send('1', '2', room, 'access_token', { access_token: await server.token({ sub: stranger.id }) });
  const waiting = `from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(() => database.query(`select 1 ${waiting}`)).toHaveLength(1);
  await createItem(database, stranger);
  const own = await createItem(database, owner);
  const [, , , , reported] = await socket.next(([, , , event]) => event === 'postgres_changes');
  expect(reported).toMatchObject({ data: { record: { id: own.id } } });

  // The check fails: its statement ends with the connection that made it.
  await database.query(`select pg_terminate_backend(pid) ${waiting}`);
  await socket.next(([, , , event]) => event === 'phx_error');
  socket.ws.close();
});

import { RealtimeClient, type SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { type Hearing, hear } from './hear.ts';
import { openRawSocket } from './raw-socket.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { REALTIME_PUBLIC_CHANNELS: 'true' } });
const second = await startTestServer(database, {
  secrets: server.secrets,
  environment: { REALTIME_PUBLIC_CHANNELS: 'true' },
});
const owner = await createOwner(database);
const stranger = await createOwner(database);

let rooms = 0;
function newRoom(): string {
  rooms += 1;
  return `room ${rooms}`;
}

async function signedIn(at: TestServer, id: string): Promise<SupabaseClient> {
  return at.client({ token: await at.token({ sub: id }) });
}

function shout(text: string) {
  return { type: 'broadcast', event: 'shout', payload: { text } } as const;
}

function texts({ heard }: Hearing): unknown[] {
  return heard.map(({ payload }) => payload.text);
}

test('a broadcast reaches the other clients of its topic on every server, and not its sender', async () => {
  const room = newRoom();
  const [speaker, neighbor, afar, elsewhere] = await Promise.all([
    hear(server.client(), room),
    hear(server.client(), room),
    hear(second.client(), room),
    hear(server.client(), newRoom()),
  ]);
  await speaker.channel.send(shout('Is anybody there? 🔑'));
  await Promise.all([neighbor.until(1), afar.until(1)]);
  await afar.channel.send(shout('Yes'));
  await Promise.all([neighbor.until(2), speaker.until(1)]);
  expect(texts(neighbor)).toEqual(['Is anybody there? 🔑', 'Yes']);
  expect(texts(afar)).toEqual(['Is anybody there? 🔑']);
  expect(texts(speaker)).toEqual(['Yes']);
  expect(texts(elsewhere)).toEqual([]);
});

test('a client can request its own broadcasts, and an acknowledgment', async () => {
  const room = newRoom();
  const speaker = await hear(server.client(), room, { broadcast: { self: true, ack: true } });
  expect(await speaker.channel.send(shout('Me'))).toBe('ok');
  await speaker.until(1);
  expect(texts(speaker)).toEqual(['Me']);
});

test('broadcasts of one client arrive in order, including equal ones and ones larger than a notification', async () => {
  const room = newRoom();
  const speaker = await hear(server.client(), room);
  const listener = await hear(second.client(), room);
  const said = Array.from({ length: 40 }, (_, index) => (index % 5 === 0 ? `${'ü'.repeat(20_000)}${index}` : 'again'));
  for (const text of said) void speaker.channel.send(shout(text));
  await listener.until(said.length);
  expect(texts(listener)).toEqual(said);
});

test('bytes reach clients of protocol 2.0.0, and JSON those of both', async () => {
  const room = newRoom();
  const modern = await hear(second.client(), room);
  const old = new RealtimeClient(`${server.url.replace('http', 'ws')}/realtime/v1`, {
    params: { apikey: server.secrets.publishableKey },
    vsn: '1.0.0',
  });
  const heardByOld: unknown[] = [];
  const channel = old.channel(room);
  channel.on('broadcast', { event: '*' }, ({ event, payload }) => heardByOld.push([event, payload]));
  await new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()));

  const speaker = await hear(server.client(), room);
  await speaker.channel.send({ type: 'broadcast', event: 'bytes', payload: Uint8Array.of(0, 255, 7).buffer });
  await speaker.channel.send(shout('Words'));
  await modern.until(2);
  expect(new Uint8Array(modern.heard[0]?.payload as unknown as ArrayBuffer)).toEqual(Uint8Array.of(0, 255, 7));
  await expect.poll(() => heardByOld).toEqual([['shout', { text: 'Words' }]]);

  await channel.send(shout('From the old one'));
  await modern.until(3);
  expect(texts(modern).at(-1)).toBe('From the old one');
  await old.disconnect();
});

test('a broadcast over HTTP is accepted with 202 and delivered', async () => {
  const room = newRoom();
  const listener = await hear(second.client(), room);
  const speaker = server.client().channel(room);
  expect(await speaker.httpSend('shout', { text: 'One' })).toEqual({ success: true });
  await listener.until(1);
  const response = await server.request('/realtime/v1/api/broadcast', {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      messages: ['Two', 'Three'].map((text) => ({ topic: room, event: 'shout', payload: { text } })),
    }),
  });
  expect([response.status, await response.text()]).toEqual([202, '']);
  await listener.until(3);
  expect(texts(listener)).toEqual(['One', 'Two', 'Three']);
});

test('a broadcast over HTTP that is to be stored is refused, and not sent', async () => {
  const room = newRoom();
  const listener = await hear(second.client(), room);
  const response = await server.request(
    `/realtime/v1/api/broadcast/${encodeURIComponent(room)}/events/shout?persist=true`,
    {
      method: 'POST',
      headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'Stored' }),
    },
  );
  expect([response.status, await response.json()]).toEqual([
    422,
    { error: 'This server does not keep what clients broadcast' },
  ]);
  const secret = server.client().channel(room, { config: { private: true } });
  await expect(secret.httpSend('shout', {}, { persist: true })).rejects.toThrow('does not keep');
  await server.client().channel(room).httpSend('shout', { text: 'Not stored' });
  await listener.until(1);
  expect(texts(listener)).toEqual(['Not stored']);
});

test.each([
  ['no JSON', '{', 422],
  ['no messages', '{"messages":[]}', 422],
  ['a message without a topic', '{"messages":[{"event":"a","payload":{}}]}', 422],
  ['too many messages', JSON.stringify({ messages: Array(101).fill({ topic: 'a', event: 'b' }) }), 422],
  ['too large a body', JSON.stringify({ messages: [{ topic: 'a', event: 'b', payload: 'x'.repeat(2_000_000) }] }), 413],
])('HTTP: %s is refused', async (_what, body, status) => {
  const response = await server.request('/realtime/v1/api/broadcast', {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
    body,
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual(status === 422 ? { errors: expect.anything() } : { error: expect.any(String) });
});

test('HTTP: a body of 300,000 messages is refused by their number, with one error [K40]', async () => {
  const response = await server.request('/realtime/v1/api/broadcast', {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
    body: `{"messages":[${Array(300_000).fill('{}').join()}]}`,
  });
  expect(response.status).toBe(422);
  expect((await response.text()).length).toBeLessThan(500);
});

test('HTTP: a forged token is refused', async () => {
  const response = await server.request('/realtime/v1/api/broadcast/room/events/shout', {
    method: 'POST',
    headers: { apikey: server.secrets.publishableKey, Authorization: `Bearer ${await second.token({}, -10)}` },
    body: '{}',
  });
  expect(response.status).toBe(401);
});

test('an address that broadcasts too much is refused', async () => {
  const responses = await Promise.all(
    Array.from({ length: 40 }, () =>
      server.request('/realtime/v1/api/broadcast', {
        method: 'POST',
        address: '203.0.113.77',
        headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ messages: Array(100).fill({ topic: 'busy', event: 'b' }) }),
      }),
    ),
  );
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
});

test('only callers whom the policies admit can join and send on a private channel [F42]', async () => {
  const room = newRoom();
  await database.query(`
    create policy "the owner speaks" on realtime.messages for insert to authenticated
      with check (realtime.topic() = '${room}' and extension = 'broadcast' and auth.uid() = '${owner.id}');
    create policy "both listen" on realtime.messages for select to authenticated
      using (realtime.topic() = '${room}' and auth.uid() in ('${owner.id}', '${stranger.id}'));
  `);
  const secret = { private: true, broadcast: { ack: true, self: true } };
  const speaker = await hear(await signedIn(server, owner.id), room, secret);
  const listener = await hear(await signedIn(second, stranger.id), room, { private: true });
  const outside = await hear(server.client(), room);
  await expect(hear(server.client(), room, { private: true })).rejects.toThrow('Unauthorized');

  await outside.channel.send(shout('The public room of that name is another'));
  // There is no notice that it was dropped; a later message shows it.
  await listener.channel.send(shout('I may not'));
  const refused = (await signedIn(second, stranger.id)).channel(room, { config: { private: true } });
  expect(await refused.httpSend('shout', { text: 'Nor so' })).toEqual({ success: true });
  expect(await speaker.channel.send(shout('I may'))).toBe('ok');
  await Promise.all([speaker.until(1), listener.until(1)]);
  expect([texts(speaker), texts(listener), texts(outside)]).toEqual([['I may'], ['I may'], []]);

  await database.query(
    'drop policy "both listen" on realtime.messages; drop policy "the owner speaks" on realtime.messages',
  );
  const kept = await database.query('select from realtime.messages where topic = $1', [room]);
  expect(kept).toEqual([]);
});

test('a right to read one message of a private channel does not include listening to it [F42]', async () => {
  const room = newRoom();
  await database.query(`
    create policy "to whom it was written" on realtime.messages for select to authenticated
      using (realtime.topic() = '${room}' and payload ->> 'to' = auth.uid()::text)`);
  await database.query("select realtime.send(jsonb_build_object('to', $1::text), 'shout', $2)", [owner.id, room]);
  await expect(hear(await signedIn(server, owner.id), room, { private: true })).rejects.toThrow(
    `Unauthorized: You do not have permissions to read from this Channel topic: ${room}`,
  );
  await database.query('drop policy "to whom it was written" on realtime.messages');
});

test('a new token that may no longer listen ends a private channel', async () => {
  const room = newRoom();
  await database.query(`
    create policy "only the owner" on realtime.messages for select to authenticated
      using (realtime.topic() = '${room}' and auth.uid() = '${owner.id}')`);
  const socket = await openRawSocket(server.url, server.secrets.publishableKey);
  const reply = await socket.ask('1', '1', `realtime:${room}`, 'phx_join', {
    config: { private: true },
    access_token: await server.token({ sub: owner.id }),
  });
  expect(reply.status).toBe('ok');
  socket.send('1', '2', `realtime:${room}`, 'access_token', { access_token: await server.token({ sub: stranger.id }) });
  await socket.next(([, , , event]) => event === 'phx_close');
  socket.ws.close();
});

test('one address can send a bounded volume, however few messages, and check a bounded number of private topics [F45]', async () => {
  const clock = createTestClock({ stands: true });
  const standing = await startTestServer(database, {
    secrets: server.secrets,
    clock,
    environment: { REALTIME_PUBLIC_CHANNELS: 'true' },
  });
  const say = async (address: string, messages: readonly object[]) => {
    const response = await standing.request('/realtime/v1/api/broadcast', {
      method: 'POST',
      address,
      headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ messages }),
    });
    return response.status;
  };
  const loud = anAddress();
  const large = { topic: newRoom(), event: 'shout', payload: 'x'.repeat(1_000_000) };
  for (let count = 0; count < 8; count += 1) expect(await say(loud, [large])).toBe(202);
  expect(await say(loud, [large])).toBe(429);
  expect(await say(loud, [{ ...large, payload: 'x' }])).toBe(202);

  const curious = anAddress();
  const topics = (isPrivate: boolean) =>
    Array.from({ length: 100 }, () => ({ topic: newRoom(), event: 'shout', payload: 'x', private: isPrivate }));
  // What its sockets have joined counts with it.
  const socket = await openRawSocket(standing.url, server.secrets.publishableKey, { 'X-Forwarded-For': curious });
  const config = { postgres_changes: Array(50).fill({ event: '*', schema: 'public', table: 'items' }) };
  for (let count = 0; count < 19; count += 1) {
    const joined = await socket.ask('1', String(count), 'realtime:items', 'phx_join', { config });
    expect(joined.status).toBe('ok');
  }
  socket.ws.close();
  expect(await say(curious, topics(true))).toBe(429);
  expect(await say(curious, topics(true).slice(0, 50))).toBe(202);
  expect(await say(curious, topics(false))).toBe(202);
});

test('a broadcast from SQL is delivered with its id', async () => {
  const room = newRoom();
  const listener = await hear(second.client(), room);
  await database.query(`select realtime.send('{"text": "From the database"}', 'shout', $1, false)`, [room]);
  await listener.until(1);
  expect(listener.heard[0]).toMatchObject({
    event: 'shout',
    payload: { text: 'From the database' },
    meta: { id: expect.any(String) },
  });
});

test('a trigger broadcasts each change of its table to a private channel', async () => {
  const room = newRoom();
  await database.query(`
    create policy "anybody signed in" on realtime.messages for select to authenticated using (realtime.topic() = '${room}');
    create table public.shelves (id integer primary key, name text);
    create function public.tell_shelves() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      perform realtime.broadcast_changes('${room}', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
      return null;
    end $$;
    create trigger tell after insert or update or delete on public.shelves for each row execute function public.tell_shelves();
  `);
  const listener = await hear(await signedIn(server, owner.id), room, { private: true });
  await database.query("insert into public.shelves values (1, 'Lost umbrellas')");
  await listener.until(1);
  expect(listener.heard[0]).toMatchObject({
    event: 'INSERT',
    payload: {
      operation: 'INSERT',
      table: 'shelves',
      schema: 'public',
      record: { id: 1, name: 'Lost umbrellas' },
      old_record: null,
    },
  });
  await database.query('drop table public.shelves; drop function public.tell_shelves');
});

test('strangers cannot broadcast to each other unless the operator allows it [K9]', async () => {
  const quiet = await startTestServer(database);
  const room = newRoom();
  const speaker = await hear(quiet.client(), room, { broadcast: { ack: true } });
  expect(await speaker.channel.send(shout('Psst'))).toBe('error');
  await expect(quiet.client().channel(room).httpSend('shout', {})).rejects.toThrow('PrivateOnly');
  expect(await speaker.channel.track({ name: 'me' })).toBe('error');
});

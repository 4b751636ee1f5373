import { randomUUID } from 'node:crypto';
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket } from './raw-socket.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { REALTIME_PUBLIC_CHANNELS: 'true' } });
const second = await startTestServer(database, {
  secrets: server.secrets,
  environment: { REALTIME_PUBLIC_CHANNELS: 'true' },
});

let rooms = 0;
function newRoom(): string {
  rooms += 1;
  return `room ${rooms}`;
}

/** Joins with presence; `left` is given the names of those who leave. */
async function enter(client: SupabaseClient, room: string, key: string, left: string[] = []): Promise<RealtimeChannel> {
  await client.realtime.setAuth();
  const channel = client.channel(room, { config: { presence: { key, enabled: true } } });
  channel.on('presence', { event: 'leave' }, (leave) => void left.push(leave.key));
  await new Promise<void>((resolve, reject) =>
    channel.subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : reject(error ?? new Error(status)))),
  );
  return channel;
}

/** Of a server that stays alive for as long as a test takes. */
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Inserts presences without announcing them to servers, so that they are only in the state of a room. */
async function crowd(room: string, size: number, doing: string, aliveAt = inAnHour()): Promise<string> {
  const id = randomUUID();
  await database.query('alter table realtime.presences disable trigger presences_announce');
  // In one statement: a running server would delete a dead one that has no presences yet.
  await database.query(
    `with server as (insert into realtime.servers values ($1, $5) returning id)
     insert into realtime.presences (server_id, channel_id, topic, private, key, ref, payload)
       select id, n, $2, false, 'crowd', n::text, jsonb_build_object('doing', $3::text)
       from server, generate_series(1, $4::integer) as n`,
    [id, room, doing, size, aliveAt],
  );
  await database.query('alter table realtime.presences enable trigger presences_announce');
  return id;
}

/** Removes a crowd after its watchers have left, who would otherwise be busy with each departure. */
async function sendAway(server: string, watchers: readonly RealtimeChannel[]): Promise<void> {
  await Promise.all(watchers.map((watcher) => watcher.unsubscribe()));
  await database.query('delete from realtime.servers where id = $1', [server]);
}

/** Who is there and with which states, without the marks of the protocol. */
function present(channel: RealtimeChannel): Record<string, unknown[]> {
  const state = channel.presenceState<{ doing?: string }>();
  return Object.fromEntries(Object.entries(state).map(([key, entries]) => [key, entries.map(({ doing }) => doing)]));
}

test('every client of a topic has the same list of presences, on every server, whenever it joined', async () => {
  const room = newRoom();
  const dana = await enter(server.client(), room, 'dana');
  expect(await dana.track({ doing: 'searching' })).toBe('ok');
  const noam = await enter(second.client(), room, 'noam');
  await expect.poll(() => present(noam)).toEqual({ dana: ['searching'] });

  expect(await noam.track({ doing: 'helping' })).toBe('ok');
  await expect.poll(() => present(dana)).toEqual({ dana: ['searching'], noam: ['helping'] });

  await noam.track({ doing: 'found it' });
  await expect.poll(() => present(dana)).toEqual({ dana: ['searching'], noam: ['found it'] });

  expect(await dana.untrack()).toBe('ok');
  await expect.poll(() => present(noam)).toEqual({ noam: ['found it'] });
});

test('a client that leaves or loses its connection is removed for the others, and one key may be present twice', async () => {
  const room = newRoom();
  const watcher = await enter(second.client(), room, 'watcher');
  const phone = server.client();
  const laptop = server.client();
  await (await enter(phone, room, 'dana')).track({ doing: 'walking' });
  const atLaptop = await enter(laptop, room, 'dana');
  await atLaptop.track({ doing: 'typing' });
  await expect.poll(() => present(watcher).dana?.toSorted()).toEqual(['typing', 'walking']);

  await phone.realtime.disconnect();
  await expect.poll(() => present(watcher)).toEqual({ dana: ['typing'] });
  await atLaptop.unsubscribe();
  await expect.poll(() => present(watcher)).toEqual({});
});

test('a client receives a bounded number of presences, even if all share one key', async () => {
  const room = newRoom();
  const standing = await crowd(room, 1_100, 'standing');
  const dana = await enter(server.client(), room, 'dana');
  await expect.poll(() => present(dana).crowd?.length).toBe(1_000);
  await sendAway(standing, [dana]);
});

test('the presences of a topic are bounded in bytes: further ones are refused, and existing ones can still change [F45]', async () => {
  const room = newRoom();
  const large = await crowd(room, 64, 'x'.repeat(8_000));
  const dana = await enter(server.client(), room, 'dana');
  await expect.poll(() => present(dana).crowd?.length).toBe(64);
  const noam = await enter(second.client(), room, 'noam');
  expect(await dana.track({ doing: 'x'.repeat(5_000) })).toBe('ok');
  const late = await openRawSocket(server.url, server.secrets.publishableKey);
  const topic = `realtime:${room}`;
  await late.ask('1', '1', topic, 'phx_join', { config: {} });
  const track = { type: 'presence', event: 'track', payload: { doing: 'y'.repeat(8_000) } };
  expect(await late.ask('1', '2', topic, 'presence', track)).toEqual({
    status: 'error',
    response: { reason: 'PresenceLimitReached: Too many are present on this channel' },
  });
  late.ws.close();
  expect(await dana.track({ doing: 'moving' })).toBe('ok');
  await expect.poll(() => present(noam).dana).toEqual(['moving']);
  expect(Object.keys(present(noam)).toSorted()).toEqual(['crowd', 'dana']);
  await sendAway(large, [dana, noam]);
});

test('joins and leaves are delivered as they happen', async () => {
  const room = newRoom();
  const watcher = second.client().channel(room, { config: { presence: { enabled: true } } });
  const reported: [string, string][] = [];
  watcher.on('presence', { event: 'join' }, ({ key }) => void reported.push(['join', key]));
  watcher.on('presence', { event: 'leave' }, ({ key }) => void reported.push(['leave', key]));
  await new Promise<void>((resolve) => watcher.subscribe((status) => status === 'SUBSCRIBED' && resolve()));
  const dana = await enter(server.client(), room, 'dana');
  await dana.track({});
  await dana.untrack();
  await expect
    .poll(() => reported)
    .toEqual([
      ['join', 'dana'],
      ['leave', 'dana'],
    ]);
});

test('a server that stops removes the presences of its clients', async () => {
  const room = newRoom();
  const third = await startTestServer(database, {
    secrets: server.secrets,
    environment: { REALTIME_PUBLIC_CHANNELS: 'true' },
  });
  const watcher = await enter(server.client(), room, 'watcher');
  await (await enter(third.client(), room, 'dana')).track({ doing: 'here' });
  await expect.poll(() => present(watcher)).toEqual({ dana: ['here'] });
  await third.stop();
  await expect.poll(() => present(watcher)).toEqual({});
});

test('the presences of a killed server are removed', async () => {
  const room = newRoom();
  const dead = await crowd(room, 1, 'haunting', new Date(Date.now() - 60_000));
  const watcher = await enter(server.client(), room, 'watcher');
  await watcher.track({ doing: 'watching' });
  await expect.poll(() => present(watcher)).toEqual({ watcher: ['watching'] });
  await expect.poll(() => database.query('select from realtime.servers where id = $1', [dead])).toEqual([]);
});

test('a server that was wrongly declared dead restores its presences', async () => {
  const room = newRoom();
  const left: string[] = [];
  const watcher = await enter(second.client(), room, 'watcher', left);
  await (await enter(server.client(), room, 'dana')).track({ doing: 'here' });
  await expect.poll(() => present(watcher)).toEqual({ dana: ['here'] });
  await database.query(
    'delete from realtime.servers where id in (select server_id from realtime.presences where topic = $1)',
    [room],
  );
  // Looking at who is present could miss it: the server may send its next heartbeat a moment later.
  await expect.poll(() => left).toEqual(['dana']);
  await expect.poll(() => present(watcher)).toEqual({ dana: ['here'] });
});

test('on a private channel the policies decide who sees which presences', async () => {
  const room = newRoom();
  const owner = await createOwner(database);
  await database.query(`
    create policy "sees" on realtime.messages for select to authenticated using (realtime.topic() = '${room}');
    create policy "is seen" on realtime.messages for insert to authenticated
      with check (realtime.topic() = '${room}' and extension = 'presence' and auth.uid() = '${owner.id}')`);
  const join = async (id: string) => {
    const client = server.client({ token: await server.token({ sub: id }) });
    await client.realtime.setAuth();
    const channel = client.channel(room, { config: { private: true, presence: { enabled: true, key: id } } });
    await new Promise<void>((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve()));
    return channel;
  };
  const [seen, watcher] = await Promise.all([join(owner.id), join((await createOwner(database)).id)]);
  expect(await watcher.track({ doing: 'intruding' })).toBe('error');
  expect(await seen.track({ doing: 'here' })).toBe('ok');
  await expect.poll(() => present(watcher)).toEqual({ [owner.id]: ['here'] });
});

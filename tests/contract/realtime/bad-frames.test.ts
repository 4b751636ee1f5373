import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '#tests/support/long-runs.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket } from './raw-socket.ts';

// Once for all: each takes long to build.
const value = fc.jsonValue();
const ref = fc.oneof(fc.constantFrom('1', '2', null), value);
const topic = fc.oneof(fc.constantFrom('realtime:a', 'realtime:b', 'realtime:', 'phoenix'), value);
const event = fc.oneof(
  fc.constantFrom('phx_join', 'phx_leave', 'access_token', 'heartbeat', 'broadcast', 'presence', '__proto__'),
  value,
);
const binding = fc.oneof(
  fc.record(
    {
      event: fc.oneof(fc.constantFrom('*', 'INSERT', 'insert', 'TRUNCATE'), value),
      schema: fc.oneof(fc.constantFrom('public', '*', 'auth', '\u0000', '\ud800'), value),
      table: fc.oneof(fc.constantFrom('items', 'messages', '*', 'x"; drop table items; --', '\u0000'), value),
      filter: fc.oneof(
        fc.constantFrom(
          'id=eq.1',
          'id=eq.\u0000',
          'item_name=eq.\ud800',
          'lost_at=is.null',
          'id=in.(,)',
          '=',
          'id=eq.{',
        ),
        fc.string(),
        value,
      ),
      select: fc.oneof(fc.constantFrom(['id'], ['\u0000']), value),
    },
    { requiredKeys: [] },
  ),
  value,
);
const payload = fc.oneof(
  fc.record({
    config: fc.oneof(
      fc.record({ postgres_changes: fc.array(binding, { maxLength: 4 }), private: fc.boolean() }),
      value,
    ),
    access_token: fc.oneof(fc.constantFrom(null, 'a.b.c', '\u0000'), value),
  }),
  value,
);
const frame = fc.oneof(
  fc.tuple(ref, ref, topic, event, payload).map((parts) => JSON.stringify(parts)),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from([3, ...bytes])),
);

// Only now, so that nothing holds up the process while the server runs in it.
const server = await startTestServer(await createTestDatabase());
const key = server.secrets.publishableKey;

async function stillServes(): Promise<void> {
  const socket = await openRawSocket(server.url, key);
  expect(await socket.ask('1', '1', 'realtime:ok', 'phx_join', {})).toMatchObject({ status: 'ok' });
  socket.ws.close();
}

test('no frame breaks the server or gets an internal error', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(frame, { maxLength: 20 }), async (frames) => {
      const socket = await openRawSocket(server.url, key);
      for (const data of frames) socket.ws.send(data);
      expect(await socket.ask(null, 'last', 'realtime:never', 'phx_leave', {})).toMatchObject({ status: 'ok' });
      const text = JSON.stringify(socket.frames);
      expect(text).not.toMatch(/InternalError|DatabaseUnavailable/);
      socket.ws.close();
      await socket.closed;
    }),
    { short: 100, long: 1_500 },
  );
  await stillServes();
  // The job queue looks for work meanwhile, and on a busy machine it may have to try again.
  const ofTheQueue = /jobs of dead servers|Cron hit an error/;
  const faults = server.logged.filter((line) => /"level":(40|50|60)/.test(line) && !ofTheQueue.test(line));
  expect(faults).toEqual([]);
});

test('nesting of any depth is just another frame', async () => {
  const socket = await openRawSocket(server.url, key);
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  socket.ws.send(`["1","1","realtime:a","phx_join",{"config":{"postgres_changes":${deep}}}]`);
  expect(await socket.ask(null, '2', 'phoenix', 'heartbeat', {})).toMatchObject({ status: 'ok' });
  socket.ws.close();
});

test('a frame that is too large closes the socket with 1009 [F45]', async () => {
  const socket = await openRawSocket(server.url, key);
  socket.ws.send('x'.repeat(256 * 1024 + 1));
  expect(await socket.closed).toBe(1009);
  await stillServes();
});

test('a socket that sends too fast is closed with 1008 [F45]', async () => {
  const socket = await openRawSocket(server.url, key);
  for (let count = 0; count < 400; count += 1) socket.send(null, null, 'phoenix', 'heartbeat', {});
  expect(await socket.closed).toBe(1008);
  await stillServes();
});

test('the channels of a socket are bounded', async () => {
  const socket = await openRawSocket(server.url, key);
  for (let count = 0; count < 100; count += 1) {
    expect(await socket.ask(`${count}`, `${count}`, `realtime:${count}`, 'phx_join', {})).toMatchObject({
      status: 'ok',
    });
  }
  expect(await socket.ask('x', 'x', 'realtime:x', 'phx_join', {})).toMatchObject({
    status: 'error',
    response: { reason: 'ChannelRateLimitReached: Too many channels' },
  });
  socket.ws.close();
});

test('broken WebSocket frames close the socket, not the server', async () => {
  const socket = await openRawSocket(server.url, key);
  // Reserved bits that no extension of ours uses.
  Reflect.get(socket.ws, '_socket').write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
  expect([1002, 1006]).toContain(await socket.closed);
  await stillServes();
});

test('a flood of pings closes the socket [F45]', async () => {
  const socket = await openRawSocket(server.url, key);
  for (let count = 0; count < 400; count += 1) socket.ws.ping();
  // The ws library drops the connection where pings go on behind its goodbye.
  expect([1006, 1008]).toContain(await socket.closed);
  await stillServes();
});

test('one address can request a bounded number of subscriptions over all its sockets [F45]', async () => {
  const bindings = Array(50).fill({ event: '*', schema: 'public', table: 'items' });
  const reasons: unknown[] = [];
  for (let count = 0; count < 40 && reasons.length === 0; count += 1) {
    const socket = await openRawSocket(server.url, key);
    const join = { config: { postgres_changes: bindings } };
    const { status, response } = await socket.ask('1', '1', 'realtime:a', 'phx_join', join);
    if (status === 'error') reasons.push(response.reason);
    socket.ws.close();
  }
  expect(reasons).toEqual(['ClientJoinRateLimitReached: Too many joins per second']);
});

import { expect, test } from 'vitest';
import { connectTo } from '#tests/support/connect-to.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket, type RawSocket } from './raw-socket.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const key = server.secrets.publishableKey;
const KIB = 1024;

function open(address = anAddress()): Promise<RawSocket> {
  return openRawSocket(server.url, key, { 'X-Forwarded-For': address });
}

async function joined(address?: string): Promise<RawSocket> {
  const socket = await open(address);
  expect(await socket.ask('1', '1', 'realtime:a', 'phx_join', {})).toMatchObject({ status: 'ok' });
  return socket;
}

/** Begins a message and does not finish it; resolves once it is on its way. */
function begin({ ws }: RawSocket, data: string): Promise<void> {
  return new Promise((sent) => ws.send(data, { fin: false }, () => sent()));
}

test('a message in ever more fragments closes the socket with 1008 [K1]', async () => {
  const socket = await open();
  for (let count = 0; count < 200; count += 1) void begin(socket, 'x');
  expect(await socket.closed).toBe(1008);
});

test('a message in a few fragments, with pings between them, is one message', async () => {
  const socket = await joined();
  const text = JSON.stringify(['1', '2', 'realtime:a', 'phx_leave', {}]);
  for (const letter of text.slice(0, -1)) {
    void begin(socket, letter);
    socket.ws.ping();
  }
  socket.ws.send(text.slice(-1));
  const [, , , , payload] = await socket.next(([, ref]) => ref === '2');
  expect(payload).toMatchObject({ status: 'ok' });
  socket.ws.close();
});

test('a message must be complete within ten seconds of its first byte [K1]', async () => {
  const { clock } = server;
  const [late, punctual] = await Promise.all([open(), open()]);
  await begin(late, '["1","1",');
  await punctual.ask(null, '1', 'phoenix', 'heartbeat', {});
  clock.advance(11_000);
  expect(await late.closed).toBe(1008);
  expect(await punctual.ask(null, '2', 'phoenix', 'heartbeat', {})).toMatchObject({ status: 'ok' });
  punctual.ws.close();
});

test('before a join a message may have 64 KiB, and after one 256 KiB [K1]', async () => {
  const message = (length: number) => JSON.stringify(['1', '9', 'realtime:b', 'phx_leave', { x: 'x'.repeat(length) }]);
  const stranger = await open();
  stranger.ws.send(message(60 * KIB));
  await stranger.next(([, ref]) => ref === '9');
  stranger.ws.send(message(65 * KIB));
  expect(await stranger.closed).toBe(1009);

  const member = await joined();
  member.ws.send(message(250 * KIB));
  await member.next(([, ref]) => ref === '9');
  member.ws.send(message(256 * KIB));
  expect(await member.closed).toBe(1009);
});

test('the unfinished bytes of all sockets of an address are bounded; another address is served [K1]', async () => {
  const address = anAddress();
  const sockets: RawSocket[] = [];
  for (let count = 0; count < 80; count += 1) sockets.push(await joined(address));
  const codes: number[] = [];
  for (const { closed } of sockets) void closed.then((code) => codes.push(code));
  for (const socket of sockets) await begin(socket, 'x'.repeat(250 * KIB));
  // 16 MiB are 64 of them and what their chunks cost.
  await expect.poll(() => codes.length).toBeGreaterThanOrEqual(16);
  expect(codes.length).toBeLessThan(70);
  expect(new Set(codes)).toEqual(new Set([1006]));
  const other = await joined();
  other.ws.close();
  for (const { ws } of sockets) ws.terminate();
});

test('a frame that arrives byte by byte counts by its memory, not by its length [K1]', async () => {
  const socket = await joined();
  const raw = Reflect.get(socket.ws, '_socket');
  // A text frame of 200,000 bytes, whose bytes follow one by one.
  raw.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 3, 13, 64, 0, 0, 0, 0]));
  raw.setNoDelay(true);
  let ended = false;
  void socket.closed.then(() => {
    ended = true;
  });
  for (let count = 0; count < 20_000 && !ended; count += 1) {
    await new Promise((written) => raw.write('x', written));
    if (count % 8 === 0) await new Promise((turn) => setImmediate(turn));
  }
  expect([1006, 1008]).toContain(await socket.closed);
});

test('frames that wait for the database are bounded by their bytes, not only by their number [K1]', async () => {
  const socket = await joined();
  const busy = await connectTo(database.address);
  await busy.query('begin; lock table realtime.messages in access exclusive mode');
  socket.send('2', '2', 'realtime:private', 'phx_join', { config: { private: true } });
  const large = JSON.stringify(['1', '3', 'realtime:a', 'broadcast', { event: 'x', payload: 'x'.repeat(200 * KIB) }]);
  for (let count = 0; count < 100; count += 1) socket.ws.send(large);
  expect(await socket.closed).toBe(1006);
  await busy.query('rollback');
});

test('the channels of one address are bounded by what their joins request [K1]', async () => {
  const address = anAddress();
  const bindings = Array.from({ length: 10 }, (_, index) => ({
    event: '*',
    schema: 'public',
    table: 'items',
    filter: `id=eq.${'x'.repeat(1_900)}${index}`,
  }));
  const reasons: unknown[] = [];
  const sockets: RawSocket[] = [];
  for (let at = 0; at < 10 && reasons.length === 0; at += 1) {
    const socket = await open(address);
    sockets.push(socket);
    for (let count = 0; count < 100 && reasons.length === 0; count += 1) {
      // A join that was refused by the limit would prove nothing, and nor would sockets that are closed as idle.
      server.clock.advance(175);
      const join = { config: { postgres_changes: bindings } };
      const { status, response } = await socket.ask(`${count}`, `${count}`, `realtime:${count}`, 'phx_join', join);
      if (status === 'error') reasons.push(response.reason);
    }
  }
  expect(reasons).toEqual(['ChannelRateLimitReached: Too many channels']);
  sockets[0]?.ws.close();
  await sockets[0]?.closed;
  // What is closed has given back its part.
  await expect
    .poll(async () => (await (await joined(address)).ask('2', '2', 'realtime:b', 'phx_join', {})).status)
    .toBe('ok');
  for (const { ws } of sockets) ws.terminate();
});

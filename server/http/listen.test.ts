import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { upgradeWebSocket } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { LEAST_BYTES } from './end-stalled-bodies.ts';
import { CONNECTIONS, type ListenOptions, listen } from './listen.ts';

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const WEB_SOCKET_BOUNDS = { maxPayload: 1024, maxFragments: 8, maxBufferedChunks: 8, closeTimeout: 1_000 };

const AT_ONCE = { requestsMs: 0, uploadsMs: 0 };

/** Starts a server that closes connections after 200 ms idle, or with the given limits. Returns its port. */
async function listenWith(fetch: ListenOptions['fetch'], bounds: ListenOptions['bounds'] = { idleMs: 200 }) {
  const listener = await listen({ fetch, from: LOOPBACK, webSocketBounds: WEB_SOCKET_BOUNDS, bounds });
  onTestFinished(() => listener.close(AT_ONCE));
  return listener.port;
}

function connectTo(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('a response that the client does not read is aborted [H51]', async () => {
  let giveUp: () => void = () => undefined;
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const chunk = new Uint8Array(1024 * 1024);
  const port = await listenWith(
    () => new Response(new ReadableStream({ pull: (response) => response.enqueue(chunk), cancel: () => giveUp() })),
  );
  const reader = connectTo(port).pause();
  reader.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await givenUp;
});

test('a WebSocket may be silent for longer', async () => {
  const app = new Hono();
  app.get('/', (c) => upgradeWebSocket(c, { onMessage: ({ data }, socket) => socket.send(String(data)) }));
  const port = await listenWith(app.fetch);
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}/`);
  onTestFinished(() => webSocket.terminate());
  await once(webSocket, 'open');

  // One that begins to be silent later, and is given up.
  await once(connectTo(port), 'close');
  webSocket.send('still here');
  const [heard] = await once(webSocket, 'message');
  expect(String(heard)).toBe('still here');
});

test('a client that sends its request byte by byte gets a timeout response [H51]', async () => {
  const port = await listenWith(() => new Response('too late'), { headersMs: 200, lookEveryMs: 50 });
  const client = connectTo(port);
  client.write('GET / HTTP/1.1\r\nHost: here\r\nX-Slow: ');
  const letters = setInterval(() => client.write('a'), 20);
  onTestFinished(() => clearInterval(letters));
  client.on('error', () => undefined);
  const [response] = await once(client, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 408 /);
});

test('a body in which little arrives is ended with a timeout response', async () => {
  const port = await listenWith(async (request) => new Response(await request.text()), {
    bodyMs: 200,
    lookEveryMs: 50,
  });
  const client = connectTo(port);
  client.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\n');
  const letters = setInterval(() => client.write('a'), 20);
  onTestFinished(() => clearInterval(letters));
  client.on('error', () => undefined);
  const [response] = await once(client, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 408 /);
  await once(client, 'close');
});

test('a large body may take as long as it goes on arriving', async () => {
  const port = await listenWith(async (request) => new Response(String((await request.blob()).size)), {
    bodyMs: 300,
    lookEveryMs: 50,
  });
  const part = Buffer.alloc(LEAST_BYTES);
  const parts = 30;
  await inSomeAttempt(async () => {
    const client = connectTo(port);
    client.on('error', () => undefined);
    client.write(
      `POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: ${part.length * parts}\r\n\r\n`,
    );
    for (let sent = 0; sent < parts; sent += 1) {
      client.write(part);
      await setTimeout(30);
    }
    const [response] = await once(client, 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('a request during shutdown gets a response that closes the connection', async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const app = new Hono();
  app.get('/quick', (c) => c.text('quick'));
  app.get('/slow', async (c) => {
    begun.resolve();
    await finish.promise;
    return c.text('slow');
  });
  const listener = await listen({ fetch: app.fetch, from: LOOPBACK, webSocketBounds: WEB_SOCKET_BOUNDS });
  const ask = async (socket: Socket, path: string) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
    return String((await once(socket, 'data'))[0]);
  };
  const [busy, idle] = [connectTo(listener.port), connectTo(listener.port)];
  const slow = ask(busy, '/slow');
  expect(await ask(idle, '/quick')).toContain('keep-alive');
  await begun.promise;

  const closed = listener.close({ requestsMs: 4_000, uploadsMs: 4_000 });
  expect(await ask(idle, '/quick')).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  finish.resolve();
  expect(await slow).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  await closed;
});

/** Starts a server that responds with the length of a body, except at `/never`. */
async function countBodies() {
  const app = new Hono();
  app.post('/', async (c) => c.text(`${(await c.req.arrayBuffer()).byteLength} bytes`));
  app.get('/never', () => new Promise<Response>(() => undefined));
  const listener = await listen({ fetch: app.fetch, from: LOOPBACK, webSocketBounds: WEB_SOCKET_BOUNDS });
  onTestFinished(() => listener.close(AT_ONCE));
  return listener;
}

/** Sends a body of 20 bytes, one each 50 ms, and resolves with what the server has said when it closes. */
async function uploadSlowly(port: number): Promise<string> {
  const socket = connectTo(port).on('error', () => undefined);
  let said = '';
  socket.on('data', (chunk) => {
    said += String(chunk);
  });
  // `once` of node:events would reject where the server resets the connection.
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 20\r\n\r\n');
  for (let sent = 0; sent < 20 && !socket.destroyed; sent += 1) {
    socket.write('x');
    await setTimeout(50);
  }
  await closed;
  return said;
}

test('a server that stops lets an upload arrive and responds to it, and cuts a request that hangs [K61]', async () => {
  const listener = await countBodies();
  const uploaded = uploadSlowly(listener.port);
  const hanging = connectTo(listener.port);
  hanging.write('GET /never HTTP/1.1\r\nHost: here\r\n\r\n');
  const cut = once(hanging, 'close');
  await setTimeout(100);
  const startedAt = performance.now();
  const closed = listener.close({ requestsMs: 200, uploadsMs: 30_000 });
  await cut;
  expect(performance.now() - startedAt).toBeLessThan(800);
  expect(await uploaded).toMatch(/^HTTP\/1\.1 200 .*20 bytes$/s);
  // And it does not wait for longer.
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('an upload that takes longer than a server that stops has for it is cut [K61]', async () => {
  const listener = await countBodies();
  const uploaded = uploadSlowly(listener.port);
  await setTimeout(100);
  await listener.close({ requestsMs: 100, uploadsMs: 300 });
  expect(await uploaded).toBe('');
});

test('the connections of an address are bounded, and none is accepted while it is cut off [K1]', async () => {
  const cut = new Set<string>();
  const listener = await listen({
    fetch: () => new Response('served'),
    from: LOOPBACK,
    webSocketBounds: WEB_SOCKET_BOUNDS,
    addressOf: (address = '') => address,
    isCut: (address) => cut.has(address),
  });
  onTestFinished(() => listener.close(AT_ONCE));
  const serves = (from: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress: from });
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
      socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    });
  const served: boolean[] = [];
  for (let count = 0; count < CONNECTIONS.perAddress; count += 50) {
    served.push(...(await Promise.all(Array.from({ length: 50 }, () => serves('127.0.0.2')))));
  }
  expect(served).not.toContain(false);
  expect(await serves('127.0.0.2')).toBe(false);
  expect(await serves('127.0.0.3')).toBe(true);
  cut.add('127.0.0.3');
  expect(await serves('127.0.0.3')).toBe(false);
});

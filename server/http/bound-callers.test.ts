import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createFloodGuard, FLOOD } from '#server/limits/flood-guard.ts';
import { MOST_CALLER_MEMORY, shareCallerMemory } from '#server/limits/memory/caller-memory.ts';
import type { AppEnv } from './app-env.ts';
import { BODIES, boundCallers } from './bound-callers.ts';
import { listen } from './listen.ts';

const { bodies: MOST } = shareCallerMemory(MOST_CALLER_MEMORY);

/** An app that responds to bodies when the test lets it, and to `/refused` with 429; counts the requests. */
function setUp() {
  const app = new Hono<AppEnv>();
  const finish = Promise.withResolvers<void>();
  let asked = 0;
  app.use(async (c, next) => {
    c.set('clientAddress', c.req.header('x-from') ?? '');
    await next();
  });
  app.use(
    boundCallers(
      createFloodGuard(() => 0),
      MOST,
    ),
  );
  app.post('/', async (c) => {
    await finish.promise;
    return c.text('done');
  });
  app.onError((_error, c) => c.text('The client went away', 400));
  app.post('/read', async (c) => c.text(await c.req.text()));
  app.get('/refused', (c) => {
    asked += 1;
    return c.text('Too many', 429);
  });
  const post = async (from: string, length: number) =>
    app.request('/', { method: 'POST', body: 'x', headers: { 'x-from': from, 'content-length': String(length) } });
  const ask = async (from: string) => app.request('/refused', { headers: { 'x-from': from } });
  return { app, post, ask, finish, asked: () => asked };
}

/** Starts the app on a port, with a client that announces a body of one length and sends another. */
async function listenWith({ fetch }: Hono<AppEnv>) {
  const webSocketBounds = { maxPayload: 1024, maxFragments: 8, maxBufferedChunks: 8, closeTimeout: 1_000 };
  const listener = await listen({ fetch, from: { host: '127.0.0.1', port: 0 }, webSocketBounds });
  onTestFinished(() => listener.close({ requestsMs: 0, uploadsMs: 0 }));
  const promise = (from: string) => {
    const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /read HTTP/1.1\r\nHost: here\r\nX-From: ${from}\r\nContent-Length: ${BODIES.mostCounted}\r\n\r\nx`,
    );
  };
  const send = async (from: string) => {
    const { status } = await globalThis.fetch(`http://127.0.0.1:${listener.port}/read`, {
      method: 'POST',
      body: 'all of it',
      headers: { 'x-from': from },
    });
    return status;
  };
  return { promise, send };
}

test('bodies of one address that are not complete are bounded; another address and a later body are served [K1]', async () => {
  const { post, finish } = setUp();
  const most = MOST.perAddress / BODIES.mostCounted;
  const held = Array.from({ length: most }, () => post('a', 50 * BODIES.mostCounted));
  const refused = await post('a', 1);
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual([
    429,
    '1',
    'close',
  ]);
  const other = post('b', BODIES.mostCounted);
  finish.resolve();
  expect((await Promise.all([...held, other])).map(({ status }) => status)).toEqual(Array(most + 1).fill(200));
  expect((await post('a', 1)).status).toBe(200);
});

test('further requests of a refused address are refused before any other work [K8]', async () => {
  const { ask, asked } = setUp();
  for (let count = 0; count <= FLOOD.refusalBurst; count += 1) await ask('a');
  const before = asked();
  const cut = await ask('a');
  expect([cut.status, cut.headers.get('connection'), asked()]).toEqual([429, 'close', before]);
  await ask('b');
  expect(asked()).toBe(before + 1);
});

test('bodies that never arrive delay no other request, of the same address or another [K20]', async () => {
  const { promise, send } = await listenWith(setUp().app);
  const most = MOST.perAddress / BODIES.mostCounted;
  for (let count = 0; count < most; count += 1) promise('a');
  await sleep(BODIES.graceMs * 2);
  expect(await send('a')).toBe(200);

  // As many addresses as it takes to hold twice the total limit.
  for (let count = 0; count < (2 * MOST.inAll) / BODIES.mostCounted; count += 1) promise(`crowd ${count % 250}`);
  await sleep(BODIES.graceMs * 4);
  expect(await send('owner')).toBe(200);
});

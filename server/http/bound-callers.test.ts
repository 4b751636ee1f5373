import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from './app-env.ts';
import { BODIES, boundCallers } from './bound-callers.ts';
import { createFloodGuard, FLOOD } from './flood-guard.ts';

/** An app that answers bodies when the test lets it, and every `/refused` with 429; how often that was asked. */
function setUp() {
  const app = new Hono<AppEnv>();
  const finish = Promise.withResolvers<void>();
  let asked = 0;
  app.use(async (c, next) => {
    c.set('clientAddress', c.req.header('x-from') ?? '');
    await next();
  });
  app.use(boundCallers(createFloodGuard(() => 0)));
  app.post('/', async (c) => {
    await finish.promise;
    return c.text('done');
  });
  app.get('/refused', (c) => {
    asked += 1;
    return c.text('Too many', 429);
  });
  const post = async (from: string, length: number) =>
    app.request('/', { method: 'POST', body: 'x', headers: { 'x-from': from, 'content-length': String(length) } });
  const ask = async (from: string) => app.request('/refused', { headers: { 'x-from': from } });
  return { post, ask, finish, asked: () => asked };
}

test('bodies of one address that are not complete are bounded; another address and a later body are served', async () => {
  const { post, finish } = setUp();
  const most = BODIES.perAddress / BODIES.mostCounted;
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

test('an address that goes on after its refusals is answered before anything else looks at its requests', async () => {
  const { ask, asked } = setUp();
  for (let count = 0; count <= FLOOD.refusalBurst; count += 1) await ask('a');
  const before = asked();
  const cut = await ask('a');
  expect([cut.status, cut.headers.get('connection'), asked()]).toEqual([429, 'close', before]);
  await ask('b');
  expect(asked()).toBe(before + 1);
});

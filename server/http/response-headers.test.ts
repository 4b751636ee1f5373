import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import type { AppEnv } from './app-env.ts';
import { withHeaders } from './response-headers.ts';

const app = new Hono<AppEnv>();
app.use((c, next) => withHeaders(c, next, [['X-Ours', 'yes']]));
app.get('/plain', () => new Response('text', { status: 201, headers: { 'X-Its-Own': 'kept' } }));
app.get('/fails', () => {
  throw new Error('broken');
});
app.onError((_, c) => c.text('sorry', 500));

const server = serve({ fetch: app.fetch, port: 0, hostname: 'localhost' }) as Server;
await once(server, 'listening');
// A TCP server listening on a port has an AddressInfo.
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

test.each([
  ['over a socket', (path: string) => fetch(`http://localhost:${port}${path}`)],
  ['from inside the process', async (path: string) => app.request(path)],
])('every response has the default headers and keeps its own: %s', async (_, get) => {
  const plain = await get('/plain');
  expect([plain.status, plain.headers.get('x-ours'), plain.headers.get('x-its-own'), await plain.text()]).toEqual([
    201,
    'yes',
    'kept',
    'text',
  ]);
  for (const [path, status] of [
    ['/fails', 500],
    ['/nowhere', 404],
  ] as const) {
    const response = await get(path);
    expect([response.status, response.headers.get('x-ours')]).toEqual([status, 'yes']);
    await response.text();
  }
});

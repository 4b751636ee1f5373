import { once } from 'node:events';
import type { Server, ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import type { AppEnv } from './app-env.ts';
import { AppResponse, withHeaders } from './response-headers.ts';

const app = new Hono<AppEnv>();
app.use((c, next) => withHeaders(c, next, [['X-Ours', 'yes']]));
app.get('/plain', () => new Response('text', { status: 201, headers: { 'X-Its-Own': 'kept' } }));
app.get('/replaces', () => new Response('text', { headers: { 'x-ours': 'replaced' } }));
app.get('/cookies', (c) => {
  c.header('Set-Cookie', 'a=1', { append: true });
  c.header('Set-Cookie', 'b=2', { append: true });
  return c.text('text');
});
app.get('/unchanged', () => new Response(null, { status: 304, headers: { ETag: '"a"' } }));
app.get('/streamed', () => new Response(new Blob(['text']).stream()));
app.get('/fails', () => {
  throw new Error('broken');
});
app.onError((_, c) => c.text('sorry', 500));

/** Returns a function that requests a path over a socket. */
async function overSocket(serverOptions: ServerOptions) {
  const server = serve({ fetch: app.fetch, port: 0, hostname: 'localhost', serverOptions }) as Server;
  await once(server, 'listening');
  afterAll(() => server.close());
  // A TCP server listening on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return (path: string, init?: RequestInit) => fetch(`http://localhost:${port}${path}`, init);
}

const get = await overSocket({ ServerResponse: AppResponse });

test.each([
  ['over a socket', get],
  ['over a socket with plain responses of Node', await overSocket({})],
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

test('a header of the response itself replaces ours, whatever its case', async () => {
  const response = await get('/replaces');
  expect([response.headers.get('x-ours'), await response.text()]).toEqual(['replaced', 'text']);
});

test('every cookie of a response is sent', async () => {
  const response = await get('/cookies');
  await response.text();
  expect([response.headers.getSetCookie(), response.headers.get('x-ours')]).toEqual([['a=1', 'b=2'], 'yes']);
});

test.each([
  ['a response without a body', '/unchanged', 'GET', 304, ''],
  ['a response to HEAD', '/plain', 'HEAD', 201, ''],
  ['a streamed response', '/streamed', 'GET', 200, 'text'],
])('%s has the default headers', async (_, path, method, status, text) => {
  const response = await get(path, { method });
  expect([response.status, response.headers.get('x-ours'), await response.text()]).toEqual([status, 'yes', text]);
});

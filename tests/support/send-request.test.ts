import { Agent } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sendRequest } from './send-request.ts';
import { serveLoopback } from './serve-loopback.ts';
import { whenDone } from './when-done.ts';

const seen: { url: string | undefined; headers: string[] }[] = [];
const origin = await serveLoopback((request, response) => {
  seen.push({ url: request.url, headers: request.rawHeaders });
  if (request.url === '/moved') response.writeHead(302, { Location: '/elsewhere' }).end();
  else if (request.url === '/packed') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('text'));
  else if (request.url === '/cookies') response.writeHead(304, { 'Set-Cookie': ['a=1', 'b=2'] }).end();
  // A response before the body has arrived.
  else response.writeHead(413).end('enough');
});
const agent = new Agent({ keepAlive: true });
whenDone(() => agent.destroy());

test('the path is sent unchanged, with no header but the given ones', async () => {
  await sendRequest(origin, '/a/../%2e%2e//%', { headers: { Host: 'evil.example' } }, agent);
  expect(seen.at(-1)).toEqual({
    url: '/a/../%2e%2e//%',
    headers: ['Host', 'evil.example', 'Connection', 'keep-alive'],
  });
});

test('redirects are not followed, bodies are not decompressed, and every header is returned', async () => {
  const moved = await sendRequest(origin, '/moved', {}, agent);
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/elsewhere']);
  const packed = await sendRequest(origin, '/packed', {}, agent);
  expect(Buffer.from(await packed.arrayBuffer()).equals(gzipSync('text'))).toBe(true);
  const cookies = await sendRequest(origin, '/cookies', {}, agent);
  expect(cookies.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test('a form says what it is and how long', async () => {
  await sendRequest(origin, '/form', { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }, agent);
  expect(seen.at(-1)?.headers.join(' ')).toMatch(/content-type application\/x-www-form-urlencoded.*Content-Length 5/);
});

test('a response ends the sending of an endless body', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(4_096)) });
  const refusal = await sendRequest(origin, '/endless', { method: 'POST', body }, agent);
  expect([refusal.status, await refusal.text()]).toEqual([413, 'enough']);
});

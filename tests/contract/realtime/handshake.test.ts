import { generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openRawSocket, refusedHandshake } from './raw-socket.ts';

const server = await startTestServer(await createTestDatabase());
const key = server.secrets.publishableKey;
const socketUrl = `${server.url}/realtime/v1/websocket`;

async function forged(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({ role: 'service_role', sub: 'x' })
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('1h')
    .sign(privateKey);
}
const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role","exp":9999999999}')}.`.replaceAll('=', '');

test.each([
  ['no key', async () => '', 401, 'API key is missing'],
  ['a word', async () => '?apikey=nonsense', 401, 'The token provided is not a valid JWT'],
  [
    'a key of another project',
    async () => '?apikey=sb_publishable_0000000000000000',
    401,
    'The token provided is not a valid JWT',
  ],
  [
    'a token that is signed by somebody else',
    async () => `?apikey=${await forged()}`,
    401,
    'Failed to validate JWT signature',
  ],
  ['a token that is not signed', async () => `?apikey=${unsigned}`, 401, 'Failed to validate JWT signature'],
  [
    'a token that has expired',
    async () => `?apikey=${await server.token({ sub: crypto.randomUUID() }, -60)}`,
    401,
    'Token has expired',
  ],
])('a handshake with %s is refused', async (_, query, status, error) => {
  expect(await refusedHandshake(`${socketUrl}${await query()}`)).toEqual({ status, body: { error } });
});

test.each(['https://evil.example', 'null', `${server.url}.evil.example`, 'http://localhost:1'])(
  'a page of the origin %s is refused [F43]',
  async (origin) => {
    const { status } = await refusedHandshake(`${socketUrl}?apikey=${key}`, { Origin: origin });
    expect(status).toBe(403);
  },
);

test('our own pages and programs that are no browser may connect', async () => {
  const headers: Record<string, string>[] = [{}, { Origin: server.url }];
  for (const given of headers) {
    const socket = await openRawSocket(server.url, key, given);
    expect(await socket.ask(null, '1', 'phoenix', 'heartbeat', {})).toEqual({ status: 'ok', response: {} });
    socket.ws.close();
  }
});

test('the key may come in a header', async () => {
  const socket = await openRawSocket(server.url, '', { 'x-api-key': key });
  expect(await socket.ask(null, '1', 'phoenix', 'heartbeat', {})).toMatchObject({ status: 'ok' });
  socket.ws.close();
});

test('the open sockets of an address are bounded, and closed ones free their place [F45]', async () => {
  // One that no socket of before may still count for.
  const from = { 'X-Forwarded-For': anAddress() };
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openRawSocket(server.url, key, from)));
  expect(await refusedHandshake(`${socketUrl}?apikey=${key}`, from)).toEqual({
    status: 429,
    body: { error: 'Too many connected users' },
  });
  for (const { ws } of sockets) ws.close();
  await Promise.all(sockets.map(({ closed }) => closed));
  const again = await openRawSocket(server.url, key, from);
  again.ws.close();
});

test.each([
  ['GET', '/websocket', 426],
  ['POST', '/websocket', 405],
  ['POST', '/api/broadcast', 401],
  ['POST', '/api/broadcast/room/events/shout', 401],
  ['GET', '/nothing', 404],
  ['DELETE', '/api/broadcast', 404],
])('%s %s responds with %i and a sentence', async (method, path, status) => {
  const handshake = await fetch(`${server.url}/realtime/v1${path}`, { method });
  expect(handshake.status).toBe(status);
  expect(await handshake.json()).toEqual({ error: expect.any(String) });
});

test('no key or token is logged [F43]', async () => {
  const token = await server.token({ sub: crypto.randomUUID() });
  (await openRawSocket(server.url, token)).ws.close();
  await refusedHandshake(`${socketUrl}?apikey=${token}`, { Origin: 'https://evil.example' });
  expect(server.logged.length).toBeGreaterThan(0);
  const all = server.logged.join('');
  for (const secret of [token, key, 'apikey']) expect(all).not.toContain(secret);
});

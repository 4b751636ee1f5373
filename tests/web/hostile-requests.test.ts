import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { PUBLIC_URL: 'https://reunite.test' } });
const owner = await createOwner(database);
const item = await createItem(database, owner);
const token = await server.token(owner.caller.claims);
const { hostname, port } = new URL(server.url);

/** Returns the statuses of all responses to these bytes, on a separate connection that the server closes. */
async function statusesOf(bytes: string): Promise<string[]> {
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  return [...(await text(socket)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);
}

/** A second request, which a parser that reads the first one differently would take for its body. */
const HIDDEN = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const POST = 'POST /auth/v1/logout HTTP/1.1\r\nHost: x\r\n';

test.each([
  ['a length and chunks', `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['two lengths', `${POST}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
  ['a list of lengths', `${POST}Content-Length: 0, 0\r\n\r\n${HIDDEN}`],
  ['a length with a sign', `${POST}Content-Length: +2\r\n\r\n{}${HIDDEN}`],
  ['chunks that are not the last coding', `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['an unknown coding', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a blank before the colon', `${POST}Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a control character before the coding', `${POST}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ['a size of a chunk in another notation', `${POST}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n`],
  ['a line of a chunk that ends in a bare LF', `${POST}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n`],
  ['lines that end in a bare LF', HIDDEN.replaceAll('\r\n', '\n')],
  ['lines that end in a bare CR', HIDDEN.replaceAll('\r\n', '\r')],
  ['a header folded over two lines', HIDDEN.replace('Host: x', 'Host: x\r\nX-One: a\r\n b')],
  ['two hosts', HIDDEN.replace('Host: x', 'Host: x\r\nHost: evil.example')],
  ['no host', HIDDEN.replace('Host: x\r\n', '')],
  ['a malformed host', HIDDEN.replace('Host: x', 'Host: evil.example/x?y@z')],
  ['NUL in the path', HIDDEN.replace('/live', '/live\0')],
  ['a blank in the path', HIDDEN.replace('/live', '/live x')],
])('a request with %s is refused, and the request hidden behind it gets no response [G50]', async (_what, bytes) => {
  expect(await statusesOf(bytes)).toEqual(['400']);
});

test('the hidden request gets a response when it is sent as a request [G50]', async () => {
  expect(await statusesOf(HIDDEN)).toEqual(['200']);
  expect(await statusesOf(`${POST}Content-Length: 2\r\n\r\n{}${HIDDEN}`)).toEqual(['401', '200']);
});

test.each([
  '/auth/v1/admin/users',
  '/auth/v1/admin/users/',
  '//auth/v1/admin/users',
  '/auth/v1//admin/users',
  '/auth/v1/admin//users',
  '/auth/v1/Admin/users',
  '/auth/v1/%61dmin/users',
  '/auth/v1/admin%2fusers',
  '/auth/v1%2fadmin/users',
  '/auth/v1/admin;x/users',
  '/auth/v1/x/../admin/users',
  '/auth/v1/x/%2e%2e/admin/users',
  '/auth/v1/admin/../admin/users',
  '/rest/v1/../../auth/v1/admin/users',
  'http://evil.example/auth/v1/admin/users',
])('written as %s, the admin API is closed [G50]', async (path) => {
  const response = await server.request(path, {
    headers: { apikey: server.secrets.publishableKey, Authorization: `Bearer ${token}` },
  });
  expect([302, 401, 403, 404]).toContain(response.status);
  expect(await response.text()).not.toContain(owner.email);
});

test('a request keeps its own method, whatever its headers and fields claim [G48]', async () => {
  const headers = { apikey: server.secrets.publishableKey, Authorization: `Bearer ${token}` };
  const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];
  const override = Object.fromEntries(names.map((name) => [name, 'DELETE']));
  const path = `/rest/v1/items?id=eq.${item.id}`;
  const read = await server.request(path, { headers: { ...headers, ...override } });
  expect([read.status, await read.json()]).toMatchObject([200, [{ id: item.id }]]);
  const written = await server.request(`${path}&_method=DELETE`, {
    method: 'POST',
    headers: { ...headers, ...override },
  });
  expect(written.status).toBeGreaterThanOrEqual(400);
  expect(await database.query('select 1 from public.items where id = $1', [item.id])).toHaveLength(1);
});

test('no response is a script for another page to run [G48]', async () => {
  for (const path of ['/auth/v1/settings', '/rest/v1/rpc/find_item?qr_id_param=x', '/health/live']) {
    const joint = path.includes('?') ? '&' : '?';
    const response = await server.request(`${path}${joint}callback=alert&jsonp=alert`, {
      headers: { apikey: server.secrets.publishableKey, Accept: 'application/javascript, */*' },
    });
    expect(response.headers.get('content-type'), path).toMatch(/^application\/json/);
    expect(await response.text(), path).not.toContain('alert(');
  }
});

test.each([
  ['/', 200],
  ['/auth', 200],
  [`/item/${item.qrId}`, 200],
  [`/${item.qrId}`, 200],
  ['/nowhere', 404],
  ['/item/%E0%A4%A', 400],
  ['/assets/gone.js', 404],
  ['/favicon.ico', 200],
  ['/service-worker.js', 200],
  ['/health/live', 200],
  ['/auth/v1/settings', 200],
  ['/auth/v1/user', 401],
  ['/auth/v1/verify?token=x&type=signup', 303],
  ['/auth/v1/nothing', 404],
  ['/rest/v1/items', 200],
  ['/rest/v1/nothing', 404],
  ['/storage/v1/bucket', 200],
  ['/storage/v1/object/public/nowhere/x', 400],
  ['/realtime/v1/nothing', 404],
  ['/realtime/v1/websocket', 426],
] as const)('the response of %s has nosniff and HSTS, and names no software [G49]', async (path, status) => {
  const { headers, status: responded } = await server.request(path, {
    headers: { apikey: server.secrets.publishableKey },
  });
  if (status !== null) expect(responded).toBe(status);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
  expect(headers.get('server')).toBeNull();
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});

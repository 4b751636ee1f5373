import { beforeEach, expect, test } from 'vitest';
import { fetchWithRetry } from '#app/resilience/fetch-with-retry.ts';
import { serveLoopback } from '#tests/support/serve-loopback.ts';

/**
 * A gateway that responds to each request with the next status: 0 closes the connection, -1 stays silent. After the
 * last, 200.
 */
let script: number[] = [];
let received: string[] = [];
let headers: Record<string, string> = {};
const origin = await serveLoopback((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += String(chunk);
  });
  request.on('end', () => {
    received.push(`${request.method} ${request.url} ${body}`.trim());
    const status = script.shift() ?? 200;
    if (status === 0) request.socket.destroy();
    else if (status > 0) response.writeHead(status, headers).end('answer');
  });
});
beforeEach(() => {
  script = [];
  received = [];
  headers = {};
});

const quick = { waits: [1, 1, 1], isOnline: () => true };

test.each([502, 503, 504, 0])('a gateway that responds %i for a while is retried', async (status) => {
  script = [status, status];
  const response = await fetchWithRetry(quick)(`${origin}/rest/v1/items`);
  expect([response.status, await response.text()]).toEqual([200, 'answer']);
  expect(received).toHaveLength(3);
});

test('a write that is safe to repeat is sent again as it was', async () => {
  script = [503];
  const response = await fetchWithRetry(quick)(`${origin}/rest/v1/rpc/register_qr_code`, {
    method: 'POST',
    body: '{"qr_id_param":"a"}',
  });
  expect(response.status).toBe(200);
  expect(received).toEqual(Array(2).fill('POST /rest/v1/rpc/register_qr_code {"qr_id_param":"a"}'));
});

test.each([
  ['POST', '/auth/v1/verify'],
  ['POST', '/auth/v1/otp'],
  ['POST', '/auth/v1/recover'],
  ['PUT', '/auth/v1/user'],
  ['POST', '/auth/v1/token?grant_type=refresh_token'],
  ['POST', '/rest/v1/rpc/use_recovery_code'],
  // Saves of an owner, which are retried where the screen shows that they are not saved yet.
  ['POST', '/rest/v1/items'],
  ['PATCH', '/rest/v1/items?id=eq.1'],
  ['POST', '/rest/v1/rpc/send_reply'],
])('%s %s is sent once, whatever the response', async (method, path) => {
  script = [503];
  expect((await fetchWithRetry(quick)(origin + path, { method, body: 'x' })).status).toBe(503);
  script = [0];
  await expect(fetchWithRetry(quick)(origin + path, { method, body: 'x' })).rejects.toThrow();
  expect(received).toHaveLength(2);
});

test('a status that no gateway sends is a response, and so is the status after the last attempt', async () => {
  script = [500];
  expect((await fetchWithRetry(quick)(`${origin}/rest/v1/items`)).status).toBe(500);
  script = [502, 502, 502, 504];
  expect((await fetchWithRetry(quick)(`${origin}/rest/v1/items`)).status).toBe(504);
  script = [0, 0, 0, 0];
  await expect(fetchWithRetry(quick)(`${origin}/rest/v1/items`)).rejects.toThrow(TypeError);
  expect(received).toHaveLength(9);
});

test('a service that requests a longer wait than the timeout is not retried', async () => {
  script = [503];
  headers = { 'Retry-After': '60' };
  expect((await fetchWithRetry(quick)(`${origin}/rest/v1/items`)).status).toBe(503);
  expect(received).toHaveLength(1);
});

test('a silent connection is aborted and retried', async () => {
  script = [-1];
  const response = await fetchWithRetry({ ...quick, timeout: 1_000 })(`${origin}/rest/v1/items`);
  expect(response.status).toBe(200);
  expect(received).toHaveLength(2);
});

test('offline nothing is sent, and the failure comes at once', async () => {
  await expect(fetchWithRetry({ isOnline: () => false })(`${origin}/rest/v1/items`)).rejects.toThrow('no connection');
  expect(received).toEqual([]);
});

test('an aborted request is not retried', async () => {
  script = [503, 503, 503, 503];
  const stop = new AbortController();
  const asked = fetchWithRetry({ ...quick, waits: [60_000] })(`${origin}/rest/v1/items`, { signal: stop.signal });
  await expect.poll(() => received.length).toBe(1);
  stop.abort();
  await expect(asked).rejects.toThrow(/abort/i);
});

test('a caller that aborted before the request sends nothing, and gets its own reason', async () => {
  const reason = new Error('Nobody wants it any more.');
  const asked = fetchWithRetry(quick)(`${origin}/rest/v1/items`, { signal: AbortSignal.abort(reason) });
  await expect(asked).rejects.toBe(reason);
  expect(received).toEqual([]);
});

test('a caller that stops waiting ends the reading of a body that has begun', async () => {
  const slow = await serveLoopback((_request, response) => {
    response.writeHead(200);
    response.write('the first half');
  });
  const stop = new AbortController();
  const response = await fetchWithRetry(quick)(`${slow}/rest/v1/items`, { signal: stop.signal });
  const body = response.text();
  stop.abort();
  await expect(body).rejects.toThrow(/abort/i);
});

import { beforeEach, expect, test } from 'vitest';
import { patientFetch } from '#app/lib/patient-fetch.ts';
import { serveLoopback } from '#tests/support/serve-loopback.ts';

/** A gateway that answers each request with the next status: 0 hangs up, -1 says nothing. After the last, 200. */
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

test.each([502, 503, 504, 0])('a gateway that answers %i for a while is asked again', async (status) => {
  script = [status, status];
  const response = await patientFetch(quick)(`${origin}/rest/v1/items`);
  expect([response.status, await response.text()]).toEqual([200, 'answer']);
  expect(received).toHaveLength(3);
});

test('a write that is safe to repeat is sent again as it was', async () => {
  script = [503];
  const response = await patientFetch(quick)(`${origin}/rest/v1/rpc/register_qr_code`, {
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
  // What an owner saves, which is repeated where it is said that it is not saved yet.
  ['POST', '/rest/v1/items'],
  ['PATCH', '/rest/v1/items?id=eq.1'],
  ['POST', '/rest/v1/rpc/send_reply'],
])('%s %s is sent once, whatever the answer', async (method, path) => {
  script = [503];
  expect((await patientFetch(quick)(origin + path, { method, body: 'x' })).status).toBe(503);
  script = [0];
  await expect(patientFetch(quick)(origin + path, { method, body: 'x' })).rejects.toThrow();
  expect(received).toHaveLength(2);
});

test('what no gateway says is an answer, and so is what is still said after the last attempt', async () => {
  script = [500];
  expect((await patientFetch(quick)(`${origin}/rest/v1/items`)).status).toBe(500);
  script = [502, 502, 502, 504];
  expect((await patientFetch(quick)(`${origin}/rest/v1/items`)).status).toBe(504);
  script = [0, 0, 0, 0];
  await expect(patientFetch(quick)(`${origin}/rest/v1/items`)).rejects.toThrow(TypeError);
  expect(received).toHaveLength(9);
});

test('a service that asks for a longer wait than anybody has is believed', async () => {
  script = [503];
  headers = { 'Retry-After': '60' };
  expect((await patientFetch(quick)(`${origin}/rest/v1/items`)).status).toBe(503);
  expect(received).toHaveLength(1);
});

test('a connection that says nothing is given up, and tried again', async () => {
  script = [-1];
  const response = await patientFetch({ ...quick, patience: 1_000 })(`${origin}/rest/v1/items`);
  expect(response.status).toBe(200);
  expect(received).toHaveLength(2);
});

test('offline nothing is sent, and the answer comes at once', async () => {
  await expect(patientFetch({ isOnline: () => false })(`${origin}/rest/v1/items`)).rejects.toThrow('no connection');
  expect(received).toEqual([]);
});

test('whoever stops waiting is not asked for', async () => {
  script = [503, 503, 503, 503];
  const stop = new AbortController();
  const asked = patientFetch({ ...quick, waits: [60_000] })(`${origin}/rest/v1/items`, { signal: stop.signal });
  await expect.poll(() => received.length).toBe(1);
  stop.abort();
  await expect(asked).rejects.toThrow(/abort/i);
});

test('a caller that has stopped waiting before it asks sends nothing, and learns its own reason', async () => {
  const reason = new Error('Nobody wants it any more.');
  const asked = patientFetch(quick)(`${origin}/rest/v1/items`, { signal: AbortSignal.abort(reason) });
  await expect(asked).rejects.toBe(reason);
  expect(received).toEqual([]);
});

test('a caller that stops waiting ends the reading of a body that has begun', async () => {
  const slow = await serveLoopback((_request, response) => {
    response.writeHead(200);
    response.write('the first half');
  });
  const stop = new AbortController();
  const response = await patientFetch(quick)(`${slow}/rest/v1/items`, { signal: stop.signal });
  const body = response.text();
  stop.abort();
  await expect(body).rejects.toThrow(/abort/i);
});

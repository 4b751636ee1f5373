import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { assertProperty, isLongRun } from '#tests/support/long-runs.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { type Endpoint, endpoints } from './bad-input/endpoints.ts';
import { expectRefusal, type Received } from './bad-input/expect-refusal.ts';
import { fingerprint } from './bad-input/fingerprint.ts';
import { spoiltBodies } from './bad-input/spoilt-bodies.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const owner = await createOwner(database, { password: 'correct horse' });
const item = await createItem(database, owner);
const all = endpoints({ qrId: item.qrId, email: owner.email, ownerId: owner.id });

const { secrets } = server;
const accessToken = await signIn();

async function signIn(): Promise<string> {
  const received = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: secrets.publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  });
  const { access_token: token } = (await received.json()) as { access_token: string };
  return token;
}

interface Sent {
  readonly path?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

async function send({ method, path, signedIn, byOperator, form }: Endpoint, sent: Sent): Promise<Received> {
  const response = await fetch(`${server.url}${sent.path ?? path}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: secrets.publishableKey,
      'X-Supabase-Api-Version': '2024-01-01',
      // Limits per address are not tested here.
      'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
      ...(byOperator && { apikey: secrets.secretKey }),
      ...(signedIn && { Authorization: `Bearer ${accessToken}` }),
      ...(sent.body !== undefined && {
        'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
      ...(form && { Origin: server.url, 'Sec-Fetch-Site': 'same-origin' }),
      ...sent.headers,
    },
    ...(sent.body !== undefined && { body: sent.body }),
  });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

/** Nothing of it reached the log as a failure of ours, or the database as a change. */
async function leavingNoTrace(work: () => Promise<void>): Promise<void> {
  // Of what an earlier test had accepted, such as a message, jobs are left.
  await expect
    .poll(() => database.query('select task_identifier from graphile_worker.jobs where run_at <= now()'))
    .toEqual([]);
  const before = await fingerprint(database);
  const lines = server.logged.length;
  await work();
  expect(await fingerprint(database)).toEqual(before);
  expect(server.logged.slice(lines).filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
}

test('the table lists every exposed function with an argument [G47]', async () => {
  const functions = await database.query<{ path: string }>(
    `select '/rest/v1/rpc/' || proname as path from pg_proc
       where pronamespace = 'public'::regnamespace and pronargs > 0 and prorettype <> 'trigger'::regtype
         and (has_function_privilege('anon', oid, 'execute') or has_function_privilege('authenticated', oid, 'execute')
           or has_function_privilege('service_role', oid, 'execute'))`,
  );
  const calls = all.map(({ path }) => path).filter((path) => path.startsWith('/rest/v1/rpc/'));
  expect(calls.toSorted()).toEqual(functions.map(({ path }) => path).toSorted());
});

const json = all.filter(({ form }) => form === undefined);

// What is the same each time is left to `npm test` by the longer run.
describe.each(json)('$method $path', (endpoint) => {
  test.skipIf(isLongRun)('malformed bodies are refused, and change nothing [G47]', async () => {
    await leavingNoTrace(async () => {
      for (const { what, body, saysNothing } of spoiltBodies(endpoint)) {
        const received = await send(endpoint, { body });
        if (!saysNothing || received.status >= 300) expectRefusal(endpoint, received, what);
      }
    });
  });

  test('any JSON gets a response in the service’s own format [G47]', async () => {
    const anything = fc.json({ maxDepth: 4 });
    const nearly = fc
      .record(
        Object.fromEntries(
          Object.entries(endpoint.body ?? {}).map(([field, value]) => [
            field,
            fc.oneof(fc.constant(value), fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' })),
          ]),
        ),
        { requiredKeys: [] },
      )
      .map((body) => JSON.stringify(body));
    await assertProperty(
      fc.asyncProperty(fc.oneof(anything, nearly), async (body) => {
        const received = await send(endpoint, { body });
        if (received.status >= 400) expectRefusal(endpoint, received, body);
        else expect(received.status).toBeLessThan(300);
      }),
      { short: 2, long: 20 },
    );
  });

  test.skipIf(isLongRun)('a body without a JSON content type [G48]', async () => {
    await leavingNoTrace(async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const headers = { 'Content-Type': type, Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
        expectRefusal(endpoint, await send(endpoint, { body: JSON.stringify(endpoint.body), headers }), type);
      }
    });
  });

  test.skipIf(isLongRun)('invalid keys', async () => {
    await leavingNoTrace(async () => {
      for (const Authorization of [
        'Bearer ',
        'Bearer a.b.c',
        `Bearer ${'x'.repeat(8_000)}`,
        'Basic eDp5',
        'Bearer\t\u00ff',
      ]) {
        const received = await send(
          { ...endpoint, service: endpoint.service },
          { body: '{}', headers: { Authorization } },
        );
        expectRefusal(endpoint, received, Authorization.slice(0, 30));
      }
    });
  });
});

describe.each(all.filter(({ form }) => form === true))('$method $path', (endpoint) => {
  test.skipIf(isLongRun)('malformed forms are refused, and change nothing [G47]', async () => {
    const [field = '', value] = Object.entries(endpoint.body ?? {})[0] ?? [];
    const good = `${field}=${encodeURIComponent(String(value))}`;
    const spoilt = [
      '',
      'no_such_field=1',
      `${field}=`,
      `${field}=%00`,
      `${field}=a%00b`,
      `${field}=%ED%A0%BD`,
      `${field}=%E0%A4%A`,
      `${field}=a%FFb`,
      `${good}&${field}=other`,
      `${good}&message_id=not-a-uuid`,
      `${field}[]=x`,
      `__proto__[${field}]=${value}`,
      `${field}=${'x'.repeat(2 * 1024 * 1024)}`,
      JSON.stringify(endpoint.body),
    ];
    await leavingNoTrace(async () => {
      for (const body of spoilt) {
        // A field that this form does not have is ignored.
        if (body.includes('message_id') && !endpoint.path.endsWith('/message')) continue;
        expectRefusal(endpoint, await send(endpoint, { body }), body.slice(0, 40));
      }
      for (const type of ['text/plain', 'application/json', 'multipart/form-data', 'multipart/form-data; boundary=x']) {
        const headers = { 'Content-Type': type };
        expectRefusal(endpoint, await send(endpoint, { body: good, headers }), type);
      }
      for (const headers of [
        { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' },
        { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      ]) {
        expectRefusal(endpoint, await send(endpoint, { body: good, headers }), JSON.stringify(headers));
      }
    });
  });
});

describe('query strings and paths', () => {
  const rest: Endpoint = { service: 'rest', method: 'GET', path: '/rest/v1/items' };
  const auth: Endpoint = { service: 'auth', method: 'POST', path: '/auth/v1/token' };
  let visitors: readonly Endpoint[] = [];
  beforeEach(() => {
    visitors = [rest, { ...rest, signedIn: true }];
  });

  test.each([
    '/items?qr_id=eq.%00',
    '/items?qr_id=eq.a%00b',
    '/items?%00=eq.1',
    '/items?qr_id=eq.%ED%A0%BD',
    '/items?qr_id=eq.%FF',
    '/items?qr_id=eq.%E0%A4%A',
    '/items?select=id&select=qr_id',
    '/items?order=id&order=qr_id',
    '/items?limit=1&limit=2',
    '/items?limit=1e9',
    '/items?limit=99999999999999999999',
    '/items?limit=[]',
    '/items?__proto__=eq.1',
    '/items?constructor=eq.1',
    '/items?select=__proto__',
    '/items?select=constructor(id)',
    '/items?order=__proto__.desc',
    '/items?user_id=eq.',
    '/items?user_id=in.(1,2)',
    '/items?user_id=in.1,2',
    '/items?user_id=is.5',
    '/items?qr_id=eq(any).x',
    '/items?qr_id=like(all).{',
    '/items?created_at=gt.yesterdayish',
    `/items?or=${'('.repeat(3_000)}`,
    `/items?or=${'(and'.repeat(1_000)}`,
    `/items?select=${'a('.repeat(2_000)}`,
    `/items?${'id=eq.x&'.repeat(600)}`,
    `/items?select=${Array.from({ length: 1_601 }, (_, index) => `a${index.toString(36)}:id`).join(',')}`,
    '/__proto__',
    '/constructor',
    '/%00',
    '/%FF',
    '/items%00',
    '/rpc/__proto__',
    '/rpc/constructor',
    '/rpc/%00',
    '/rpc/find_item?qr_id_param=%00',
    '/rpc/find_item?qr_id_param=a%00',
    '/rpc/find_item?qr_id_param=%FF',
    '/rpc/find_item?qr_id_param=a&qr_id_param=b',
    '/rpc/find_item?__proto__=a',
    '/rpc/find_item?qr_id_param[]=a',
    '/rpc/find_item',
  ])('%s', async (path) => {
    await leavingNoTrace(async () => {
      for (const endpoint of visitors) {
        expectRefusal(endpoint, await send(endpoint, { path: `/rest/v1${path}` }), path);
      }
    });
  });

  test.each([
    '/items?qr_id=match.%5B',
    '/items?qr_id=match.(((',
    '/items?qr_id=fts(nosuch).x',
    '/items?item_name=fts.(((',
  ])('a filter that matches a row: %s', async (path) => {
    const endpoint: Endpoint = { ...rest, signedIn: true };
    await leavingNoTrace(async () => expectRefusal(endpoint, await send(endpoint, { path: `/rest/v1${path}` }), path));
  });

  test.each([
    '/auth/v1/token?grant_type=password&grant_type=refresh_token',
    '/auth/v1/token?grant_type=%00',
    '/auth/v1/token?grant_type=__proto__',
    '/auth/v1/token?grant_type=constructor',
    '/auth/v1/token?grant_type[]=password',
    '/auth/v1/token?grant_type=%FF',
    '/auth/v1/token',
    '/auth/v1/__proto__',
    '/auth/v1/%00',
    '/auth/v1//signup',
    '/auth/v1/signup/',
    '/auth/v1/Signup',
  ])('%s', async (path) => {
    await leavingNoTrace(async () => expectRefusal(auth, await send(auth, { path, body: '{}' }), path));
  });

  test('any query string gets a response of the data service in its own format [G47]', async () => {
    const words = fc.constantFrom(
      ...[
        'id',
        'qr_id',
        'select',
        'order',
        'limit',
        'offset',
        'or',
        'and',
        'not',
        'eq',
        'in',
        'is',
        'like',
        'any',
        'null',
        'desc',
      ],
      ...[
        '.',
        ',',
        '(',
        ')',
        '"',
        '\\',
        ':',
        '::',
        '->',
        '->>',
        '*',
        '!',
        '...',
        '{',
        '}',
        '-',
        ' ',
        '0',
        '1',
        'x',
        'é',
        '\u{1f600}',
      ],
    );
    const text = fc.oneof(
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    await assertProperty(
      fc.asyncProperty(fc.array(fc.tuple(fc.oneof(words, text), text), { maxLength: 4 }), async (parameters) => {
        const path = `/rest/v1/items?${new URLSearchParams(parameters)}`;
        const received = await send(rest, { path });
        if (received.status >= 400) expectRefusal(rest, received, path);
        else expect([path, received.status]).toEqual([path, 200]);
      }),
      { short: 40, long: 4_000 },
    );
  });

  test('headers with nonsense values', async () => {
    for (const headers of [
      { Prefer: 'count=many;;;,,=,handling' },
      { Prefer: ','.repeat(4_000) },
      { Accept: 'application/json;q=x,;;' },
      { 'Accept-Profile': '__proto__' },
      { Range: 'bytes=9-1', 'Range-Unit': 'items' },
      { 'X-Request-Id': 'x'.repeat(4_000) },
      { 'X-Forwarded-For': `${'1.1.1.1,'.repeat(500)}nonsense` },
    ]) {
      const received = await send(rest, { headers });
      if (received.status >= 400) expectRefusal(rest, received, JSON.stringify(headers).slice(0, 60));
      else expect(received.status).toBe(200);
    }
  });

  test('pages refuse methods and bodies that they do not accept', async () => {
    const web: Endpoint = { service: 'web', method: 'POST', path: '/', form: true };
    await leavingNoTrace(async () => {
      for (const path of [
        '/',
        '/dashboard',
        '/auth',
        '/not-found',
        '/privacy',
        `/item/${item.qrId}`,
        '/no/such/page',
      ]) {
        expectRefusal(web, await send(web, { path, body: 'a=1' }), path);
      }
    });
    const reading: Endpoint = { service: 'web', method: 'GET', path: '/' };
    for (const path of [
      '/item/%00',
      '/item/%FF',
      '/item/%E0%A4%A',
      '/tgt-%00',
      '/item/__proto__',
      `/item/${'x'.repeat(4_000)}`,
    ]) {
      const received = await send(reading, { path });
      expect([path.slice(0, 30), received.status < 500]).toEqual([path.slice(0, 30), true]);
    }
  });
});

test('afterwards the service still works', async () => {
  expect((await server.request('/health/ready')).status).toBe(200);
  const received = await fetch(`${server.url}/rest/v1/rpc/find_item?qr_id_param=${item.qrId}`);
  expect(await received.json()).toMatchObject({ item_type: 'keys' });
});

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { FLOOD } from '#server/limits/flood-guard.ts';
import { RENDERS } from '#server/web/render-allowance.ts';
import { Connection, type HttpResponse, type Question } from './support/connection.ts';
import { median } from './support/figures/median.ts';
import { preciseCpuTimeOf } from './support/precise-cpu-time.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, startService } from './support/start-service.ts';

/**
 * Measures what each request of a caller without a session costs the server: its CPU time in comparison with the health
 * check, in turns with it. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/stranger-costs.ts
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 5);
const AT_ONCE = 8;
const REQUESTS = 160;
/** For those that wait for a password to be hashed, or for a time that must not reveal anything. */
const FEW = 16;

interface Case extends Question {
  readonly name: string;
  readonly status: number;
  /** How many requests a round sends. */
  readonly requests?: number;
  /** Sends all from one address. */
  readonly address?: string;
  /** How many requests this address sends before, so that it is over a limit. */
  readonly before?: number;
}

const LIVE: Case = { name: '/health/live', method: 'GET', path: '/health/live', status: 200 };

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const FORGED = ['{"alg":"ES256","typ":"JWT","kid":"none"}', '{"role":"authenticated","exp":4102444800}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');
const anId = () => randomBytes(16).toString('base64url');

function form(path: string, body: string, status: number, name: string): Case {
  return { name, method: 'POST', path, headers: FORM, body, status };
}

type Frame = (ref: string) => readonly unknown[];

const FRAMES_OF_SOCKET = 40;
const ITEMS = { event: '*', schema: 'public', table: 'items' };
/** What a socket sends, by protocol 2.0.0. */
const FRAMES = {
  'a heartbeat': (ref) => [null, ref, 'phoenix', 'heartbeat', {}],
  'an unknown frame': (ref) => [null, ref, 'nowhere', 'nothing', { x: 'y'.repeat(1_000) }],
  'a join of a public channel': (ref) => ['1', ref, `realtime:room ${ref}`, 'phx_join', { config: {} }],
  'a join with a subscription': (ref) => [
    '1',
    ref,
    'realtime:a',
    'phx_join',
    { config: { postgres_changes: [ITEMS] } },
  ],
  'a refused join of a private channel': (ref) => ['1', ref, 'realtime:b', 'phx_join', { config: { private: true } }],
  'a join with a forged token': (ref) => ['1', ref, 'realtime:c', 'phx_join', { config: {}, access_token: FORGED }],
  'a broadcast without a channel': (ref) => ['1', ref, 'realtime:d', 'broadcast', { event: 'x', payload: {} }],
} satisfies Record<string, Frame>;

const database = await startDatabase();
let service: BenchmarkService | undefined;
const connections: Connection[] = [];
let sent = 0;
let round = -1;
try {
  const codes = await seedItems(database.address, 20_000, 8_000);
  service = await startService(database);
  const { port, program } = service;
  const key = { apikey: service.publishableKey };
  const json = { ...key, 'Content-Type': 'application/json' };
  let looked = 0;
  const nextCode = () => {
    looked += 1;
    return codes[looked % codes.length] ?? '';
  };
  const page = { 'Accept-Encoding': 'gzip, deflate, br, zstd', 'Accept-Language': 'en' };
  const hot = nextCode();

  const cases: readonly (() => Case)[] = [
    () => LIVE,
    () => ({ name: '/health/ready', method: 'GET', path: '/health/ready', status: 200 }),
    ...['/', '/auth', '/privacy', '/terms', '/faq', '/not-mine', '/dashboard', '/profile'].map(
      (path) => (): Case => ({ name: path, method: 'GET', path, headers: page, status: 200 }),
    ),
    () => ({ name: '/not-found', method: 'GET', path: '/not-found', headers: page, status: 404 }),
    () => ({ name: 'an unknown path', method: 'GET', path: `/${anId()}/${anId()}`, headers: page, status: 404 }),
    () => ({ name: 'a malformed path', method: 'GET', path: '/%E0%A4%A', headers: page, status: 400 }),
    () => ({ name: 'a missing asset', method: 'GET', path: `/assets/${anId()}.js`, headers: page, status: 404 }),
    () => ({ name: '/favicon.ico', method: 'GET', path: '/favicon.ico', headers: page, status: 200 }),
    () => ({ name: 'PUT of a page', method: 'PUT', path: '/privacy', headers: page, status: 405 }),
    () => ({ name: '/item/, an item read before', method: 'GET', path: `/item/${hot}`, headers: page, status: 200 }),
    () => ({ name: '/item/, any item', method: 'GET', path: `/item/${nextCode()}`, headers: page, status: 200 }),
    () => ({ name: '/tgt-, any item', method: 'GET', path: `/${nextCode()}`, headers: page, status: 200 }),
    () => ({ name: '/item/, no item', method: 'GET', path: `/item/tgt-${anId()}`, headers: page, status: 404 }),
    () => ({
      name: '/item/, no item, refused',
      method: 'GET',
      path: `/item/${anId().slice(0, 8)}`,
      headers: page,
      address: '203.0.113.1',
      status: 429,
    }),
    () => form(`/item/${nextCode()}/message`, 'body=', 422, 'a message without text'),
    () => ({
      name: 'a page, refused',
      method: 'GET',
      path: '/terms',
      headers: page,
      address: `203.0.113.${round + 10}`,
      before: RENDERS.burst + 40,
      status: 429,
    }),
    () => ({
      name: 'any request of an address that was cut off',
      method: 'GET',
      path: '/terms',
      headers: page,
      address: `203.0.113.${round + 100}`,
      before: RENDERS.burst + FLOOD.refusalBurst + 200,
      status: 429,
    }),
    () => form(`/item/${nextCode()}/message`, 'body=Here+it+is', 303, 'a message'),
    () => ({
      ...form(`/item/${nextCode()}/message`, 'body=Here+it+is', 403, 'a message from another site'),
      headers: { ...FORM, Origin: 'https://example.com' },
    }),
    () => form(`/item/${nextCode()}/contact`, 'channel=call', 303, 'a contact opening'),
    () => rpc('find_item', { qr_id_param: nextCode() }, 200, 'rpc/find_item'),
    () => rpc('check_user_exists', { email_param: `${anId()}@example.com` }, 200, 'rpc/check_user_exists'),
    () => rpc('no_such_function', {}, 404, 'rpc of no function'),
    () => ({ name: 'a table, no rows', method: 'GET', path: '/rest/v1/items?select=*', headers: key, status: 200 }),
    () => ({ name: 'no such table', method: 'GET', path: '/rest/v1/nothing', headers: key, status: 404 }),
    () => ({
      name: 'a malformed filter',
      method: 'GET',
      path: '/rest/v1/items?id=nonsense',
      headers: key,
      status: 400,
    }),
    () => ({
      name: 'a deep select',
      method: 'GET',
      path: `/rest/v1/items?select=${'profiles('.repeat(200)}id${')'.repeat(200)}`,
      headers: key,
      status: 400,
    }),
    () => ({ name: 'without a key', method: 'GET', path: '/rest/v1/items', headers: {}, status: 200 }),
    () => ({
      name: 'a forged token',
      method: 'GET',
      path: '/rest/v1/items',
      headers: { ...key, Authorization: `Bearer ${FORGED}` },
      status: 401,
    }),
    () => ({ name: '/auth/v1/settings', method: 'GET', path: '/auth/v1/settings', headers: key, status: 200 }),
    () => auth('/token?grant_type=password', '{', 400, 'sign-in, malformed'),
    () =>
      auth(
        '/token?grant_type=password',
        { email: `${anId()}@example.com`, password: 'wrong horse' },
        400,
        'sign-in, wrong password',
        FEW,
      ),
    () => auth('/token?grant_type=refresh_token', { refresh_token: anId() }, 400, 'an unknown refresh token'),
    () => auth('/signup', { email: 'nonsense', password: 'a good horse' }, 400, 'sign-up, malformed address'),
    () => auth('/signup', { email: `${anId()}@example.com`, password: 'password' }, 422, 'sign-up, common password'),
    () => auth('/verify', { type: 'email', email: `${anId()}@example.com`, token: '123456' }, 403, 'a wrong code'),
    () => auth('/nothing', {}, 404, 'no such endpoint'),
    () => ({
      name: 'preflight',
      method: 'OPTIONS',
      path: '/rest/v1/items',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' },
      status: 204,
    }),
    () => ({
      name: 'no such photo',
      method: 'GET',
      path: `/storage/v1/object/public/item-photos/${anId()}/${anId()}.webp`,
      headers: key,
      status: 400,
    }),
    () => ({
      name: 'upload without a session',
      method: 'POST',
      path: `/storage/v1/object/item-photos/${anId()}`,
      headers: { ...key, 'Content-Type': 'image/png' },
      body: 'no picture',
      status: 400,
    }),
    () => ({
      name: 'a body of 2 MiB, refused',
      method: 'POST',
      path: '/auth/v1/token?grant_type=password',
      headers: json,
      body: 'x'.repeat(2 * 1024 * 1024),
      status: 413,
      requests: FEW,
    }),
    () => ({ name: 'WebSocket address, no upgrade', method: 'GET', path: '/realtime/v1/websocket', status: 426 }),
    () => ({
      name: 'a public broadcast, off',
      method: 'POST',
      path: '/realtime/v1/api/broadcast',
      headers: json,
      body: '{"messages":[{"topic":"a","event":"b"}]}',
      status: 403,
    }),
  ];

  function rpc(name: string, body: object, status: number, title: string): Case {
    return {
      name: title,
      method: 'POST',
      path: `/rest/v1/rpc/${name}`,
      headers: json,
      body: JSON.stringify(body),
      status,
    };
  }
  function auth(path: string, body: object | string, status: number, title: string, requests = REQUESTS): Case {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { name: title, method: 'POST', path: `/auth/v1${path}`, headers: json, body: text, status, requests };
  }

  const costs = new Map<string, { times: number[]; micros: number[]; received: number; refused: Set<number> }>();
  for (round = -1; round < ROUNDS; round += 1) {
    for (const make of cases) {
      const { name, requests = REQUESTS, status, before = 0 } = make();
      if (before > 0) await measure(make, before);
      const base = await measure(() => LIVE, REQUESTS);
      const ours = await measure(make, requests);
      const after = await measure(() => LIVE, REQUESTS);
      // The first round warms the server up.
      if (round < 0) continue;
      const cost = costs.get(name) ?? { times: [], micros: [], received: 0, refused: new Set() };
      cost.times.push((2 * ours.micros) / (base.micros + after.micros));
      cost.micros.push(ours.micros);
      cost.received = ours.bytes;
      for (const other of ours.statuses) if (other !== status) cost.refused.add(other);
      costs.set(name, cost);
    }
  }

  for (const [name, frame] of Object.entries(FRAMES)) {
    const [times, micros]: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round += 1) {
      const base = await measure(() => LIVE, REQUESTS);
      const ours = await measureFrames(service, frame);
      if (round < 0) continue;
      times.push(ours / base.micros);
      micros.push(ours);
    }
    costs.set(name, { times, micros, received: 0, refused: new Set() });
  }

  console.log('| request | × health check | µs | bytes of the response | other statuses |\n|---|---|---|---|---|');
  const sorted = [...costs].sort(([, a], [, b]) => median(b.times) - median(a.times));
  for (const [name, { times, micros, received, refused }] of sorted) {
    console.log(
      `| ${name} | ${median(times).toFixed(1)} | ${median(micros).toFixed(0)} | ${received} | ${[...refused].join(' ')} |`,
    );
  }

  /** The CPU time of one request, in microseconds, and the statuses of the responses. */
  async function measure(make: () => Case, requests: number) {
    const statuses = new Set<number>();
    let bytes = 0;
    let left = requests;
    const before = preciseCpuTimeOf(program.pid);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left > 0) {
          left -= 1;
          const { status, body } = await ask(port, make());
          statuses.add(status);
          bytes = body.length;
        }
      }),
    );
    return { micros: (preciseCpuTimeOf(program.pid) - before) / requests, statuses, bytes };
  }
} finally {
  for (const connection of connections) connection.close();
  await service?.program.stop();
  await database.stop();
}

/** The CPU time of one frame, in microseconds: on sockets of different addresses, until the last one has its reply. */
async function measureFrames({ port, publishableKey, program }: BenchmarkService, frame: Frame): Promise<number> {
  const sockets = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      sent += 1;
      const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`, {
        headers: { 'X-Forwarded-For': `10.200.${(sent >> 8) & 255}.${sent & 255}` },
      });
      await once(socket, 'open');
      return socket;
    }),
  );
  const before = preciseCpuTimeOf(program.pid);
  await Promise.all(
    sockets.map(async (socket) => {
      const replied = new Promise<void>((resolve) =>
        socket.on('message', (data) => String(data).includes('"last"') && resolve()),
      );
      for (let at = 0; at < FRAMES_OF_SOCKET; at += 1) socket.send(JSON.stringify(frame(String(at))));
      socket.send(JSON.stringify(frame('last')));
      if (frame === FRAMES['an unknown frame']) socket.send(JSON.stringify([null, 'last', 'phoenix', 'heartbeat', {}]));
      await replied;
    }),
  );
  const micros = (preciseCpuTimeOf(program.pid) - before) / (AT_ONCE * (FRAMES_OF_SOCKET + 1));
  for (const socket of sockets) socket.terminate();
  return micros;
}

/** From an address of its own, unless the case names one; over a connection that is free, or over a new one. */
async function ask(port: number, { address, headers = {}, method, path, body = '' }: Case): Promise<HttpResponse> {
  sent += 1;
  const from = address ?? `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
  const connection = connections.pop() ?? (await Connection.open(port));
  const response = await connection.ask({ method, path, body, headers: { 'X-Forwarded-For': from, ...headers } });
  if (response.header('connection') === 'close') connection.close();
  else connections.push(connection);
  return response;
}

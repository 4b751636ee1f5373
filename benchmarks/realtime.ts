import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { WebSocket } from 'ws';
import { quantile } from './support/figures/median.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, startService } from './support/start-service.ts';

/**
 * Measures 1,000 sockets of 1,000 owners, each subscribed to its own messages: the time from commit to frame, compared
 * with the time until a bare listening connection has the notification. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/realtime.ts
 */
const SOCKETS = Number(process.env.BENCHMARK_SOCKETS ?? 1_000);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 300);
const BROADCASTS = 50;
const JOINS_AT_ONCE = 20;
const MOST_MEDIAN_MS = 20;
const MOST_P99_MS = 100;

interface Listener {
  readonly owner: string;
  readonly item: string;
  readonly socket: WebSocket;
  /** Called with each change, and with each broadcast. */
  onFrame: (kind: 'change' | 'broadcast') => void;
}

const database = await startDatabase();
const writer = new Client(database.address);
const bare = new Client(database.address);
const listeners: Listener[] = [];
let service: BenchmarkService | undefined;
try {
  console.log('Seeding …');
  await seedItems(database.address, SOCKETS * 2, 1);
  await Promise.all([writer.connect(), bare.connect()]);
  await bare.query('listen realtime_changes');
  service = await startService(database);
  console.log(`Joining ${SOCKETS.toLocaleString('en')} sockets …`);
  const began = performance.now();
  const { rows } = await writer.query<{ owner: string; item: string }>(
    'select distinct on (user_id) user_id as owner, id as item from public.items limit $1',
    [SOCKETS],
  );
  for (let start = 0; start < rows.length; start += JOINS_AT_ONCE) {
    const joining = rows.slice(start, start + JOINS_AT_ONCE);
    listeners.push(...(await Promise.all(joining.map((row, place) => join(row, start + place)))));
  }
  console.log(`${listeners.length} joined in ${((performance.now() - began) / 1000).toFixed(1)} s`);

  const own = await measureOwnMessages();
  const all = await measureBroadcasts();
  report(own, all);
} finally {
  for (const { socket } of listeners) socket.terminate();
  await Promise.all([writer.end(), bare.end()]);
  await service?.program.stop();
  await database.stop();
}

/**
 * Sends one message at a time, each to another owner. Measures until its one reader has it, and until the bare
 * connection has it.
 */
async function measureOwnMessages(): Promise<{ delivered: number[]; notified: number[] }> {
  const delivered: number[] = [];
  const notified: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const listener = listeners[(round * 7919) % listeners.length];
    if (listener === undefined) throw new Error('Nobody listens.');
    const frame = nextFrame(listener, 'change');
    const notification = once(bare, 'notification').then(() => performance.now());
    await writer.query('begin');
    await insertMessage(listener);
    const committing = performance.now();
    await writer.query('commit');
    delivered.push((await frame) - committing);
    notified.push((await notification) - committing);
  }
  return { delivered, notified };
}

/** Sends one broadcast at a time. Measures until the last socket has it. */
async function measureBroadcasts(): Promise<{ first: number[]; last: number[] }> {
  const first: number[] = [];
  const last: number[] = [];
  for (let round = 0; round < BROADCASTS; round += 1) {
    const frames = listeners.map((listener) => nextFrame(listener, 'broadcast'));
    const committing = performance.now();
    await writer.query("select realtime.send($1, 'shout', 'everybody', false)", [{ round, text: 'x'.repeat(200) }]);
    const arrivals = (await Promise.all(frames)).map((at) => at - committing);
    first.push(Math.min(...arrivals));
    last.push(Math.max(...arrivals));
  }
  return { first, last };
}

async function insertMessage({ owner, item }: Listener): Promise<void> {
  await writer.query({
    name: 'write',
    text: `with conversation as (
        insert into public.conversations (item_id, owner_id) values ($1, $2) returning id
      )
      insert into public.messages (conversation_id, item_id, owner_id, sender, body)
        select id, $1, $2, 'finder', 'Your keys are at the front desk.' from conversation`,
    values: [item, owner],
  });
}

function nextFrame(listener: Listener, wanted: 'change' | 'broadcast'): Promise<number> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`No ${wanted} came.`)), 20_000);
    listener.onFrame = (kind) => {
      if (kind !== wanted) return;
      clearTimeout(late);
      resolve(performance.now());
    };
  });
}

/** Opens a socket as its owner, from its own address, and resolves once both of its channels are active. */
async function join({ owner, item }: { owner: string; item: string }, place: number): Promise<Listener> {
  if (service === undefined) throw new Error('The service is not there.');
  const session = randomUUID();
  await writer.query('insert into auth.sessions (id, user_id) values ($1, $2)', [session, owner]);
  const token = await service.accessToken({ sub: owner, session_id: session });
  const socket = new WebSocket(
    `ws://127.0.0.1:${service.port}/realtime/v1/websocket?apikey=${service.publishableKey}&vsn=2.0.0`,
    { headers: { 'X-Forwarded-For': `10.0.${Math.trunc(place / 250)}.${(place % 250) + 1}` } },
  );
  const listener: Listener = { owner, item, socket, onFrame: () => undefined };
  await once(socket, 'open');
  const live = new Promise<void>((resolve, reject) => {
    let waitingFor = 2;
    const arrived = () => {
      waitingFor -= 1;
      if (waitingFor === 0) resolve();
    };
    socket.on('message', (data, isBinary) => {
      if (isBinary) return listener.onFrame('broadcast');
      const text = String(data);
      if (text.includes('"postgres_changes",{"ids"')) listener.onFrame('change');
      else if (text.includes('Subscribed to PostgreSQL') || text.startsWith('["2","2"')) arrived();
      else if (text.includes('"status":"error"')) reject(new Error(text));
    });
  });
  const changes = [{ event: 'INSERT', schema: 'public', table: 'messages', filter: `owner_id=eq.${owner}` }];
  const payload = { config: { postgres_changes: changes }, access_token: token };
  socket.send(JSON.stringify(['1', '1', 'realtime:own', 'phx_join', payload]));
  socket.send(JSON.stringify(['2', '2', 'realtime:everybody', 'phx_join', { config: {} }]));
  await live;
  return listener;
}

function report(
  own: { delivered: readonly number[]; notified: readonly number[] },
  all: { first: readonly number[]; last: readonly number[] },
): void {
  const line = (name: string, times: readonly number[]) =>
    console.log(`${name.padEnd(58)} median ${at(times, 0.5)} ms   p99 ${at(times, 0.99)} ms`);
  line('commit → bare listening connection', own.notified);
  line('commit → the frame of its one reader among all sockets', own.delivered);
  line(`broadcast from SQL → the first of ${listeners.length} sockets`, all.first);
  line(`broadcast from SQL → the last of ${listeners.length} sockets`, all.last);
  const passes = Number(at(own.delivered, 0.5)) <= MOST_MEDIAN_MS && Number(at(own.delivered, 0.99)) <= MOST_P99_MS;
  console.log(`${passes ? 'PASS' : 'FAIL'}: at most ${MOST_MEDIAN_MS} ms in the median and ${MOST_P99_MS} ms at p99`);
  if (!passes) process.exitCode = 1;
}

function at(times: readonly number[], share: number): string {
  return quantile(times, share).toFixed(1);
}

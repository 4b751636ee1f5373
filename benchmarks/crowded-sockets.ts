import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Connection } from './support/connection.ts';
import { median, quantile } from './support/figures/median.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, startService } from './support/start-service.ts';

/**
 * Measures how long finders wait for their page while strangers broadcast to each other as fast as the server lets them:
 * 180 sockets from 3 addresses in one channel. Phases without and with the strangers take turns.
 *
 * node benchmarks/crowded-sockets.ts
 */
const SOCKETS = 180;
const ADDRESSES = 3;
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 3);
const PHASE_MS = 6_000;
const BETWEEN_PAGES_MS = 20;
const BETWEEN_BROADCASTS_MS = 10;
const TOPIC = 'realtime:crowd';
/** Times the 99th percentile without strangers. Before there was a budget it was 76 times (13 ms, 987 ms). */
const MOST_TIMES = 10;

const database = await startDatabase();
let service: BenchmarkService | undefined;
try {
  const codes = await seedItems(database.address, 1_000, 500);
  for (const isPublic of [false, true]) {
    service = await startService(database, { environment: { REALTIME_PUBLIC_CHANNELS: String(isPublic) } });
    const alone: number[] = [];
    const crowded: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(quantile(await waitsOfFinders(service, codes), 0.99));
      const crowd = await gather(service);
      crowded.push(quantile(await waitsOfFinders(service, codes), 0.99));
      console.log(
        `round ${round + 1}, public channels ${isPublic ? 'on' : 'off'}: ${crowd.joined()} of ${SOCKETS} sockets in the channel, ${crowd.received()} broadcasts received`,
      );
      await crowd.leave();
    }
    const times = median(crowded) / median(alone);
    console.log(
      `public channels ${isPublic ? 'on' : 'off'}: p99 of a finder's page ${median(alone).toFixed(1)} ms alone, ${median(crowded).toFixed(1)} ms beside the sockets (${times.toFixed(1)} times)`,
    );
    if (times > MOST_TIMES) process.exitCode = 1;
    await service.program.stop();
    service = undefined;
  }
  console.log(process.exitCode === 1 ? 'FAIL' : 'PASS', `at most ${MOST_TIMES} times`);
} finally {
  await service?.program.stop();
  await database.stop();
}

/** Milliseconds until each page was complete; one request at a time, as one finder after the other. */
async function waitsOfFinders({ port }: BenchmarkService, codes: readonly string[]): Promise<number[]> {
  const waits: number[] = [];
  const connection = await Connection.open(port);
  for (const end = performance.now() + PHASE_MS; performance.now() < end; ) {
    const code = codes[waits.length % codes.length] ?? '';
    const began = performance.now();
    const headers = { 'X-Forwarded-For': `10.9.${waits.length % 200}.1`, 'Accept-Encoding': 'gzip' };
    const { status } = await connection.ask({ method: 'GET', path: `/item/${code}`, headers });
    if (status !== 200) throw new Error(`/item/${code}: ${status}`);
    waits.push(performance.now() - began);
    await pause(BETWEEN_PAGES_MS);
  }
  connection.close();
  return waits;
}

/** Connects the strangers, who join one channel and broadcast until they leave. */
async function gather({ port, publishableKey }: BenchmarkService) {
  let joined = 0;
  let received = 0;
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS }, async (_, place) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0`, {
        headers: { 'X-Forwarded-For': `10.8.${place % ADDRESSES}.1` },
      });
      // A server that cuts a stranger off is part of what is measured.
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
      socket.on('message', (frame) => {
        const text = String(frame);
        if (text.includes('"phx_reply"') && text.includes('"ok"')) joined += 1;
        else if (text.includes('"broadcast"')) received += 1;
      });
      say(socket, 'phx_join', { config: { broadcast: { self: false }, presence: { key: '' }, postgres_changes: [] } });
      return socket;
    }),
  );
  const timers = sockets.map((socket) =>
    setInterval(
      () => say(socket, 'broadcast', { type: 'broadcast', event: 'noise', payload: { text: 'x'.repeat(200) } }),
      BETWEEN_BROADCASTS_MS,
    ),
  );
  await pause(500);
  return {
    joined: () => joined,
    received: () => received,
    async leave() {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.terminate();
      await pause(2_000);
    },
  };
}

function say(socket: WebSocket, event: string, payload: object): void {
  if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > 65_536) return;
  socket.send(JSON.stringify({ topic: TOPIC, event, payload, ref: '1', join_ref: '1' }));
}

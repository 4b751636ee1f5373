import { Client } from 'pg';
import { postmasterOf } from './support/contender.ts';
import { cpuTimeOf } from './support/cpu-time.ts';
import { median } from './support/figures/median.ts';
import { startDatabase } from './support/start-database.ts';

/**
 * Measures how many changes PostgreSQL commits in a second while 1, 4, 16, and 32 connections listen, as that many server
 * processes do, and without notifications. They take turns. `docs/scale.md` explains the results.
 *
 * node benchmarks/listeners.ts
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 5);
const SECONDS = 3;
const WRITERS = 16;
/** Null: a commit announces nothing. */
const LISTENERS = [null, 1, 4, 16, 32] as const;

interface Figures {
  readonly commits: number[];
  /** Microseconds of PostgreSQL's CPU time for each commit. */
  readonly cpuTimes: number[];
}

const database = await startDatabase();
const clients: Client[] = [];
try {
  const connect = async () => {
    const client = new Client(database.address);
    await client.connect();
    clients.push(client);
    return client;
  };
  const operator = await connect();
  await operator.query('create table public.benchmark_changes (id bigint generated always as identity, code text)');
  const writers = await Promise.all(Array.from({ length: WRITERS }, connect));
  const listeners = await Promise.all(Array.from({ length: Math.max(...LISTENERS.map(Number)) }, connect));
  const engine = await postmasterOf(database);
  const figures = new Map(LISTENERS.map((count): [typeof count, Figures] => [count, { commits: [], cpuTimes: [] }]));

  const measure = async (count: (typeof LISTENERS)[number], isCounted: boolean) => {
    for (const [at, listener] of listeners.entries()) {
      await listener.query(at < (count ?? 0) ? 'listen benchmark_changed' : 'unlisten *');
    }
    const announcement =
      count === null ? '' : `select pg_notify('benchmark_changed', 'tgt-of-some-item-that-changed');`;
    // Several statements in one message are one transaction.
    const change = `insert into public.benchmark_changes (code) values ('tgt-of-some-item-that-changed'); ${announcement}`;
    const before = cpuTimeOf([engine]);
    const until = performance.now() + SECONDS * 1_000;
    let commits = 0;
    await Promise.all(
      writers.map(async (writer) => {
        while (performance.now() < until) {
          await writer.query(change);
          commits += 1;
        }
      }),
    );
    if (!isCounted) return;
    figures.get(count)?.commits.push(commits / SECONDS);
    figures.get(count)?.cpuTimes.push((cpuTimeOf([engine]) - before) / commits);
  };

  for (const count of LISTENERS) await measure(count, false);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < LISTENERS.length; turn += 1) {
      // Each round starts with another one, so that disturbances affect all alike.
      await measure(LISTENERS[(round + turn) % LISTENERS.length] ?? null, true);
    }
  }
  for (const [count, { commits, cpuTimes }] of figures) {
    const who = count === null ? 'without notifications' : `${count} listening`;
    console.log(`${who}: ${median(commits).toFixed(0)} commits/s, ${median(cpuTimes).toFixed(0)} µs CPU a commit`);
  }
} finally {
  await Promise.all(clients.map((client) => client.end()));
  await database.stop();
}

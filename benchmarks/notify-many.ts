import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '#server/free-port.ts';
import { makePushKey } from '#server/push/push-key.ts';
import { connectionPool } from './support/connection-pool.ts';
import { postmasterOf } from './support/contender.ts';
import { cpuTimeOf } from './support/cpu-time.ts';
import { judge } from './support/figures/judge.ts';
import { median, medianRatio, quantile } from './support/figures/median.ts';
import { messageSender } from './support/notices/message-sender.ts';
import { startNoticeSink } from './support/notices/notice-sink.ts';
import { type NoticedOwner, seedOwners } from './support/notices/noticed-owners.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, requireBuiltPages, startService } from './support/start-service.ts';

/**
 * Measures 10,000 messages on two servers with one database, while look-ups go on: how soon an owner hears of a message,
 * what it costs each server, what the look-ups lose, and that every notice arrives once. `docs/benchmarks.md` explains
 * the results.
 *
 * node benchmarks/notify-many.ts
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 10);
/** One message to each in each round. A day's limits are not reached. */
const OWNERS = 1_000;
const MOST_ROUNDS = 15;
/** Of ten owners, how many are told by five ways; the others by an email. */
const OF_TEN_WITH_FIVE = 2;
const MESSAGES_PER_SECOND = Number(process.env.BENCHMARK_MESSAGES_PER_SECOND ?? 25);
const LOOK_UPS_PER_SECOND = 100;
/** How long look-ups are measured alone in each round. */
const ALONE_SECONDS = 20;
/** An owner hears of a message so soon, in 99 of 100 cases. */
const SOON_MS = 2_000;
const DELIVERED_WITHIN_MS = 60_000;

interface Round {
  /** Milliseconds of each look-up. */
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  /** Milliseconds from the response to the finder until the first way accepted its notice. */
  readonly first: readonly number[];
  /** Microseconds of CPU time for each message. */
  readonly servers: readonly number[];
  readonly postgres: number;
}

if (ROUNDS > MOST_ROUNDS) throw new Error(`After ${MOST_ROUNDS} rounds messages of a day are put together.`);
await requireBuiltPages();
const database = await startDatabase();
const sink = await startNoticeSink(database.folder);
/** One connection, because opening them would be measured. */
const watcher = new Client(database.address);
await watcher.connect();
const services: BenchmarkService[] = [];
const sender = messageSender();
const readers = connectionPool();
try {
  const pushKey = makePushKey();
  const owners = await seedOwners(
    database,
    sink,
    pushKey,
    Array.from({ length: OWNERS }, (_, at) => (at % 10 < OF_TEN_WITH_FIVE ? 5 : 1)),
  );
  const environment = {
    SMTP_URL: sink.smtpUrl,
    OUTBOUND_ALLOWED: sink.host,
    NODE_EXTRA_CA_CERTS: sink.certificate,
    VAPID_PRIVATE_KEY: pushKey,
  };
  const first = await startService(database, { environment });
  services.push(first);
  const { secrets } = first;
  services.push(await startService(database, { environment, before: { port: await freePort(), secrets } }));
  const engine = await postmasterOf(database);
  const rounds: Round[] = [];
  let wrong = 0;
  // The first round is the warm-up.
  for (let round = -1; round < ROUNDS; round += 1) {
    const measured = await measure(engine, owners);
    wrong += countWrong(owners);
    if (round >= 0) rounds.push(measured);
  }
  report(rounds, wrong);
} finally {
  sender.close();
  readers.close();
  for (const { program } of services) await program.stop();
  await sink.stop();
  await watcher.end();
  await database.stop();
}

/** Measures look-ups alone, then beside a message to each owner, until every notice of them is accepted. */
async function measure(engine: number, owners: readonly NoticedOwner[]): Promise<Round> {
  const used = () => [...services.map(({ program }) => cpuTimeOf([program.pid])), cpuTimeOf([engine])];
  const usedSince = (before: readonly number[]) => used().map((micros, at) => micros - (before[at] ?? Number.NaN));

  const beforeAlone = used();
  const alone = await lookUpWhile(owners, pause(ALONE_SECONDS * 1_000));
  const ofLookUps = usedSince(beforeAlone).map((micros) => micros / alone.length);

  sink.forget();
  const accepted = new Map<string, number>();
  const before = used();
  const beside = await lookUpWhile(owners, sendAndDeliver(owners, accepted));
  const costs = usedSince(before).map((micros, at) => micros - (ofLookUps[at] ?? Number.NaN) * beside.length);
  const perMessage = costs.map((micros) => micros / owners.length);
  return {
    alone,
    beside,
    first: owners.map(({ name }) => sink.firstAt(name) - (accepted.get(name) ?? Number.NaN)),
    servers: perMessage.slice(0, -1),
    postgres: perMessage.at(-1) ?? Number.NaN,
  };
}

/** Sends a message to each owner, at an even pace to both servers in turns, and waits until no notice is left. */
async function sendAndDeliver(owners: readonly NoticedOwner[], accepted: Map<string, number>): Promise<void> {
  const isOwner = (at: number) => at < owners.length;
  await paced(MESSAGES_PER_SECOND, isOwner, async (at) => {
    const { name = '', code = '' } = owners[at] ?? {};
    await sender.send(serviceFor(at).port, code);
    accepted.set(name, performance.now());
  });
  const wanted = owners.reduce((sum, { receivers }) => sum + receivers, 0);
  const deadline = performance.now() + DELIVERED_WITHIN_MS;
  while ((sink.arrived() < wanted || (await countJobsAtHand()) > 0) && performance.now() < deadline) await pause(100);
}

/** Looks items up at an even pace, on both servers in turns, until the work is done. Returns how long each took, in ms. */
async function lookUpWhile(owners: readonly NoticedOwner[], work: Promise<void>): Promise<readonly number[]> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  const times: number[] = [];
  const look = async (at: number) => {
    const start = performance.now();
    await lookUp(serviceFor(at), owners[(at * 7_919) % owners.length]?.code ?? '');
    times.push(performance.now() - start);
  };
  await Promise.all([ended, paced(LOOK_UPS_PER_SECOND, () => !isDone, look)]);
  return times;
}

async function lookUp({ port, publishableKey }: BenchmarkService, code: string): Promise<void> {
  const path = `/rest/v1/rpc/find_item?qr_id_param=${code}`;
  const { status, body } = await readers.ask(port, { method: 'GET', path, headers: { apikey: publishableKey } });
  if (status !== 200 || !body.includes('House keys')) throw new Error(`A look-up was answered ${status}: ${body}`);
}

/**
 * Starts each task at its time, as long as there are more, whether or not those before it have ended: a slow server gets
 * no fewer. Resolves when all that were started have ended. Rejects once one does.
 */
async function paced(
  perSecond: number,
  areMore: (at: number) => boolean,
  task: (at: number) => Promise<void>,
): Promise<void> {
  const start = performance.now();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (let at = 0; areMore(at) && failures.length === 0; at += 1) {
    const wait = start + (at * 1_000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    const one = task(at)
      .catch((failure: unknown) => void failures.push(failure))
      .finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

/** Both servers in turns. */
function serviceFor(at: number): BenchmarkService {
  const service = services[at % services.length];
  if (service === undefined) throw new Error('No server has been started.');
  return service;
}

/** How many notices are missing, or came more than once. */
function countWrong(owners: readonly NoticedOwner[]): number {
  const counts = sink.byAddress();
  const addresses = owners.flatMap(({ name, receivers }) => [
    `${name}@example.com`,
    ...(receivers === 5 ? [`/${name}`, `/${name}/phone`, `/${name}/laptop`, `/${name}/webhook`] : []),
  ]);
  const isWrong = addresses.filter((address) => counts.get(address) !== 1);
  if (isWrong.length > 0) console.log(`${isWrong.length} notices did not come once, such as ${isWrong.slice(0, 3)}.`);
  return isWrong.length + Math.max(0, counts.size - addresses.length);
}

/** Those of reminders wait for a later time. */
async function countJobsAtHand(): Promise<number> {
  const { rows } = await watcher.query<{ jobs: number }>(
    'select count(*)::integer as jobs from graphile_worker.jobs where run_at <= now()',
  );
  return rows[0]?.jobs ?? 0;
}

function report(rounds: readonly Round[], wrong: number): void {
  const ms = (figure: number) => `${figure.toFixed(1)} ms`;
  const first = rounds.flatMap((round) => round.first);
  console.log(
    `${first.length} messages, ${MESSAGES_PER_SECOND} a second, and ${LOOK_UPS_PER_SECOND} look-ups a second`,
  );
  console.log('| | p50 | p99 |');
  console.log('|---|---|---|');
  const row = (what: string, figures: readonly number[]) =>
    console.log(`| ${what} | ${ms(quantile(figures, 0.5))} | ${ms(quantile(figures, 0.99))} |`);
  row('until the first way told the owner', first);
  const alone = rounds.map((round) => round.alone);
  const beside = rounds.map((round) => round.beside);
  row('a look-up alone', alone.flat());
  row('a look-up beside messages', beside.flat());
  for (const share of [0.5, 0.99]) {
    const of = (all: readonly (readonly number[])[]) => all.map((figures) => quantile(figures, share));
    console.log(`look-ups beside messages, p${share * 100}: ${medianRatio(of(beside), of(alone)).toFixed(2)} × alone`);
  }
  const costs = [...services.keys()].map((at) => median(rounds.map(({ servers }) => servers[at] ?? Number.NaN)));
  const each = costs.map((micros) => `${(micros / 1_000).toFixed(2)} ms`).join(' and ');
  const postgres = median(rounds.map((round) => round.postgres));
  console.log(`CPU time for each message: ${each} of the servers, ${(postgres / 1_000).toFixed(2)} ms of PostgreSQL`);
  judge(`${wrong} notices were lost or came twice (none)`, wrong === 0);
  const p99 = quantile(first, 0.99);
  judge(`99 of 100 owners hear of a message within ${ms(p99)} (at most ${SOON_MS})`, p99 <= SOON_MS);
}

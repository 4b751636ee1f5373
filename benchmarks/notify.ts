import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { makePushKey } from '#server/push/push-key.ts';
import { postmasterOf } from './support/contender.ts';
import { cpuTimeOf } from './support/cpu-time.ts';
import { judge } from './support/figures/judge.ts';
import { median, medianRatio, quantile } from './support/figures/median.ts';
import { messageSender } from './support/notices/message-sender.ts';
import { startNoticeSink } from './support/notices/notice-sink.ts';
import { type NoticedOwner, type ReceiverCount, seedOwners } from './support/notices/noticed-owners.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, requireBuiltPages, startService } from './support/start-service.ts';

/**
 * Measures what a finder's message costs the server, from the form until every notice has been accepted, for owners who
 * are told by no way, by one, and by five. They take turns. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/notify.ts
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 7);
/** One to each owner in each round. A day's limits are not reached. */
const MESSAGES = 200;
const CONNECTIONS = 8;
const MOST_ROUNDS = 15;
/** How much a notice may cost of what a message without any costs. */
const MOST_SHARE = 1;
const NOTICED_WITHIN_MS = 60_000;

const KINDS: readonly ReceiverCount[] = [0, 1, 5];

interface Figures {
  /** Microseconds of CPU time of the server and of PostgreSQL for each message, one figure a round. */
  readonly server: number[];
  readonly postgres: number[];
  /** Milliseconds from the response to the finder until the first way accepted its notice, one for each message. */
  readonly first: number[];
}

if (ROUNDS > MOST_ROUNDS) throw new Error(`After ${MOST_ROUNDS} rounds messages of a day are put together.`);
await requireBuiltPages();
const database = await startDatabase();
const sink = await startNoticeSink(database.folder);
/** One connection, because opening them would be measured. */
const watcher = new Client(database.address);
await watcher.connect();
let service: BenchmarkService | undefined;
const sender = messageSender();
try {
  const pushKey = makePushKey();
  const wanted = KINDS.flatMap((kind) => Array.from({ length: MESSAGES }, () => kind));
  const owners = Map.groupBy(await seedOwners(database, sink, pushKey, wanted), ({ receivers }) => receivers);
  service = await startService(database, {
    environment: {
      SMTP_URL: sink.smtpUrl,
      OUTBOUND_ALLOWED: sink.host,
      NODE_EXTRA_CA_CERTS: sink.certificate,
      VAPID_PRIVATE_KEY: pushKey,
    },
  });
  const engine = await postmasterOf(database);
  const figures = new Map<ReceiverCount, Figures>(KINDS.map((kind) => [kind, { server: [], postgres: [], first: [] }]));
  // The first round is the warm-up.
  for (let round = -1; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < KINDS.length; turn += 1) {
      const kind = KINDS[(round + 1 + turn) % KINDS.length] ?? 0;
      const measured = await measure(service, engine, kind, owners.get(kind) ?? []);
      if (round < 0) continue;
      const kept = figures.get(kind);
      kept?.server.push(measured.server);
      kept?.postgres.push(measured.postgres);
      kept?.first.push(...measured.first);
    }
  }
  report(figures);
} finally {
  sender.close();
  await service?.program.stop();
  await sink.stop();
  await watcher.end();
  await database.stop();
}

/** Sends a message to each owner, and waits until all notices of it are accepted and their jobs are done. */
async function measure(
  { port, program }: BenchmarkService,
  engine: number,
  kind: ReceiverCount,
  owners: readonly NoticedOwner[],
) {
  sink.forget();
  const accepted = new Map<string, number>();
  const before = { server: cpuTimeOf([program.pid]), postgres: cpuTimeOf([engine]) };
  const left = [...owners];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let owner = left.pop(); owner !== undefined; owner = left.pop()) {
        await sender.send(port, owner.code);
        accepted.set(owner.name, performance.now());
      }
    }),
  );
  const deadline = performance.now() + NOTICED_WITHIN_MS;
  while (sink.arrived() < kind * owners.length || (await countJobsAtHand()) > 0) {
    if (performance.now() > deadline) {
      throw new Error(`Only ${sink.arrived()} of ${kind * owners.length} notices arrived.`);
    }
    await pause(50);
  }
  if (sink.arrived() !== kind * owners.length)
    throw new Error(`${sink.arrived()} notices arrived, which are too many.`);
  const first = kind === 0 ? [] : owners.map(({ name }) => sink.firstAt(name) - (accepted.get(name) ?? Number.NaN));
  return {
    server: (cpuTimeOf([program.pid]) - before.server) / owners.length,
    postgres: (cpuTimeOf([engine]) - before.postgres) / owners.length,
    first,
  };
}

/** Those of reminders wait for a later time. */
async function countJobsAtHand(): Promise<number> {
  const { rows } = await watcher.query<{ jobs: number }>(
    'select count(*)::integer as jobs from graphile_worker.jobs where run_at <= now()',
  );
  return rows[0]?.jobs ?? 0;
}

function report(figures: ReadonlyMap<ReceiverCount, Figures>): void {
  const wholeOf = (kind: ReceiverCount) => {
    const { server = [], postgres = [] } = figures.get(kind) ?? {};
    return server.map((micros, round) => micros + (postgres[round] ?? Number.NaN));
  };
  console.log('| ways | server | PostgreSQL | both | × no way | until the first way told the owner, p50 and p99 |');
  console.log('|---|---|---|---|---|---|');
  for (const kind of KINDS) {
    const { server = [], postgres = [], first = [] } = figures.get(kind) ?? {};
    const ms = (micros: readonly number[]) => `${(median(micros) / 1_000).toFixed(2)} ms`;
    const waited = [0.5, 0.99].map((share) => `${Math.round(quantile(first, share))} ms`).join(', ');
    const ratio = medianRatio(wholeOf(kind), wholeOf(0)).toFixed(2);
    console.log(
      `| ${kind} | ${ms(server)} | ${ms(postgres)} | ${ms(wholeOf(kind))} | ${ratio} | ${kind === 0 ? '' : waited} |`,
    );
  }
  const share = (medianRatio(wholeOf(5), wholeOf(0)) - 1) / 5;
  judge(`a notice costs ${share.toFixed(2)} of a message without any (at most ${MOST_SHARE})`, share <= MOST_SHARE);
}

import { createECDH, type ECDH, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { makePushKey } from '#server/push/push-key.ts';
import { Connection } from './support/connection.ts';
import { postmasterOf } from './support/contender.ts';
import { cpuTimeOf } from './support/cpu-time.ts';
import { judge } from './support/judge.ts';
import { median, medianRatio, quantile } from './support/median.ts';
import { type NoticeSink, startNoticeSink } from './support/notices/notice-sink.ts';
import { type BenchmarkDatabase, startDatabase } from './support/start-database.ts';
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

/** How many ways tell the owner: none; an email; an email, two browsers, a webhook, and a topic of ntfy. */
const KINDS = [0, 1, 5] as const;
type Kind = (typeof KINDS)[number];

interface Owner {
  readonly name: string;
  readonly code: string;
}

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
const connections: Connection[] = [];
let visitors = 0;
try {
  const pushKey = makePushKey();
  const owners = await seedOwners(database, sink, publicKeyOf(pushKey));
  service = await startService(database, {
    environment: {
      SMTP_URL: sink.smtpUrl,
      OUTBOUND_ALLOWED: sink.host,
      NODE_EXTRA_CA_CERTS: sink.certificate,
      VAPID_PRIVATE_KEY: pushKey,
    },
  });
  const engine = await postmasterOf(database);
  const figures = new Map<Kind, Figures>(KINDS.map((kind) => [kind, { server: [], postgres: [], first: [] }]));
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
  for (const connection of connections) connection.close();
  await service?.program.stop();
  await sink.stop();
  await watcher.end();
  await database.stop();
}

/** Sends a message to each owner, and waits until all notices of it are accepted and their jobs are done. */
async function measure({ port, program }: BenchmarkService, engine: number, kind: Kind, owners: readonly Owner[]) {
  sink.forget();
  const accepted = new Map<string, number>();
  const before = { server: cpuTimeOf([program.pid]), postgres: cpuTimeOf([engine]) };
  const left = [...owners];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let owner = left.pop(); owner !== undefined; owner = left.pop()) {
        await sendMessage(port, owner);
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

/** As a browser without a script sends it, each from an address of its own. */
async function sendMessage(port: number, { code }: Owner): Promise<void> {
  visitors += 1;
  const connection = connections.pop() ?? (await Connection.open(port));
  const { status, body } = await connection.ask({
    method: 'POST',
    path: `/item/${code}/message`,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Forwarded-For': `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`,
    },
    body: 'body=It+is+at+the+front+desk+of+the+library',
  });
  if (status !== 303) throw new Error(`A message was answered ${status}: ${body}`);
  connections.push(connection);
}

/** Those of reminders wait for a later time. */
async function countJobsAtHand(): Promise<number> {
  const { rows } = await watcher.query<{ jobs: number }>(
    'select count(*)::integer as jobs from graphile_worker.jobs where run_at <= now()',
  );
  return rows[0]?.jobs ?? 0;
}

/** Creates the owners of each kind, each with an item. */
async function seedOwners(
  { address }: BenchmarkDatabase,
  { origin }: NoticeSink,
  serverKey: string,
): Promise<ReadonlyMap<Kind, readonly Owner[]>> {
  const client = new Client(address);
  await client.connect();
  await client.query('set session_replication_role = replica');
  const owners = new Map<Kind, readonly Owner[]>();
  for (const kind of KINDS) {
    const made = Array.from({ length: MESSAGES }, (_, at) => ({
      id: randomUUID(),
      name: `owner-${kind}-${at}`,
      code: `tgt-${randomBytes(12).toString('base64url')}`,
    }));
    for (const [at, { id, name, code }] of made.entries()) {
      // Who is told by no way has a phone number alone.
      await client.query(
        `insert into auth.users (id, email, email_confirmed_at, phone, phone_confirmed_at)
           values ($1, $2, case when $2::text is not null then now() end, $3, case when $3::text is not null then now() end)`,
        [id, kind === 0 ? null : `${name}@example.com`, kind === 0 ? `97250${1_000_000 + at}` : null],
      );
      await client.query('insert into public.profiles (id, full_name) values ($1, $2)', [id, 'Dana Levi']);
      await client.query('insert into public.qr_codes (qr_id, owner_id, claimed_at) values ($1, $2, now())', [
        code,
        id,
      ]);
      await client.query(
        `insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'keys', 'House keys')`,
        [code, id],
      );
      if (kind !== 5) continue;
      for (const browser of ['phone', 'laptop']) {
        const pair = newPair();
        await client.query(
          `with session as (insert into auth.sessions (user_id) values ($1) returning id)
           insert into public.push_subscriptions (user_id, session_id, device, endpoint, p256dh, auth, server_key)
             select $1, id, $2, $3, $4, $5, $6 from session`,
          [
            id,
            browser,
            `${origin}/${name}/${browser}`,
            pair.getPublicKey('base64url'),
            randomBytes(16).toString('base64url'),
            serverKey,
          ],
        );
      }
      for (const way of ['webhook', 'ntfy']) {
        await client.query(
          "insert into public.notice_addresses (user_id, kind, name, url) values ($1, $2, 'Home', $3)",
          [id, way, way === 'ntfy' ? `${origin}/${name}` : `${origin}/${name}/webhook`],
        );
      }
    }
    owners.set(kind, made);
  }
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  await client.end();
  return owners;
}

function newPair(): ECDH {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
}

function publicKeyOf(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');
  return pair.getPublicKey('base64url');
}

function report(figures: ReadonlyMap<Kind, Figures>): void {
  const wholeOf = (kind: Kind) => {
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

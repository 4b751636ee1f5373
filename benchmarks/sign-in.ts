import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { createPasswordHasher, TURN_OF_SERVICE } from '#server/auth/accounts/passwords.ts';
import { Connection, type HttpResponse, type Question } from './support/connection.ts';
import { cpuTimeOf, parentOf } from './support/cpu-time.ts';
import { median, quantile } from './support/figures/median.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, startService } from './support/start-service.ts';

/**
 * Measures sign-ins with a password through the whole server, compared with bare Argon2id with the same parameters in
 * the same pool, with so many in progress that the pool is never idle. Also measures the effect of a crowd that signs
 * in at once on other requests. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/sign-in.ts
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 7);
const SIGN_INS = 200;
const WARM_UP = 600;
const UNDER_WAY = 4 * availableParallelism();
const ACCOUNTS = 50;
const CROWD = 500;
const PASSWORD = 'a benchmark’s own password';
const LEAST_RATIO = 0.8;
const MOST_PROBE_MS = 50;

const hasher = createPasswordHasher();
const database = await startDatabase();
let service: BenchmarkService | undefined;
/** The open, free connections. */
const connections: Connection[] = [];
/** What the auth service gave each account's browser, and the browser brings again. */
const cookies = new Map<string, string>();
try {
  service = await startService(database);
  const stored = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const engine = await seedAccounts(stored);
  const { port, publishableKey, program } = service;
  let sent = 0;
  const signIn = () => {
    sent += 1;
    return post(port, publishableKey, `owner-${sent % ACCOUNTS}@example.com`, sent);
  };

  /** In microseconds. The bare hashes are this process's. */
  const cpuNow = () => ({
    hash: cpuTimeOf([process.pid]),
    server: cpuTimeOf([program.pid]),
    postgres: cpuTimeOf([engine]),
  });
  const ratios: number[] = [];
  const cpu = { hash: [] as number[], server: [] as number[], postgres: [] as number[] };
  const figures: string[] = [];
  // The first run costs more than the hash itself; afterwards each account has a known device.
  await perSecond(WARM_UP, async () => void (await signIn()));
  for (let round = 0; round < ROUNDS; round += 1) {
    const measure = {
      whole: () =>
        perSecond(SIGN_INS, async () => {
          const { status, body } = await signIn();
          if (status !== 200) throw new Error(`A sign-in was answered ${status}: ${body}`);
        }),
      bare: () =>
        perSecond(SIGN_INS, async () => {
          if (!(await hasher.matches(PASSWORD, stored, TURN_OF_SERVICE)))
            throw new Error('The password did not match.');
        }),
    };
    // The contenders take turns at going first, so that disturbances affect all of them alike.
    const turns = round % 2 === 0 ? (['whole', 'bare'] as const) : (['bare', 'whole'] as const);
    const rate = { whole: 0, bare: 0 };
    for (const turn of turns) {
      const before = cpuNow();
      rate[turn] = await measure[turn]();
      const after = cpuNow();
      const spent = (of: keyof typeof cpu) => (after[of] - before[of]) / SIGN_INS / 1_000;
      if (turn === 'bare') cpu.hash.push(spent('hash'));
      else {
        cpu.server.push(spent('server'));
        cpu.postgres.push(spent('postgres'));
      }
    }
    ratios.push(rate.whole / rate.bare);
    figures.push(`${rate.whole.toFixed(1)} / ${rate.bare.toFixed(1)}`);
  }
  const ratio = median(ratios);
  console.log(`sign-ins a second / bare hashes a second, by round: ${figures.join(', ')}`);
  const fast = ratio >= LEAST_RATIO;
  console.log(`${fast ? 'PASS' : 'FAIL'} throughput: ${ratio.toFixed(2)} of bare Argon2id (at least ${LEAST_RATIO})`);

  // On a busy machine the clock says little; this is the same ratio by CPU time.
  const [hashMs, serverMs, postgresMs] = [median(cpu.hash), median(cpu.server), median(cpu.postgres)];
  console.log(
    `CPU time: a bare hash ${hashMs.toFixed(1)} ms; a sign-in ${serverMs.toFixed(1)} ms of the server, its hash included, ` +
      `and ${postgresMs.toFixed(1)} ms of PostgreSQL: ${(hashMs / (serverMs + postgresMs)).toFixed(2)}`,
  );

  const calm = await meetCrowd(port, signIn);
  process.exitCode = fast && calm ? 0 : 1;
} finally {
  for (const connection of connections) connection.close();
  await service?.program.stop();
  await database.stop();
}

/**
 * All sign in at the same moment: how many succeed, how many are refused with which Retry-After, and how a probe
 * performs meanwhile.
 */
async function meetCrowd(port: number, signIn: () => Promise<HttpResponse>): Promise<boolean> {
  let waiting = true;
  const probes: number[] = [];
  const probing = (async () => {
    while (waiting) {
      const startedAt = performance.now();
      const { status } = await ask(port, { method: 'GET', path: '/health/live' });
      if (status !== 200) throw new Error(`/health/live was answered ${status}`);
      probes.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const responses = await Promise.all(Array.from({ length: CROWD }, signIn));
  waiting = false;
  await probing;
  const entered = responses.filter(({ status }) => status === 200).length;
  const sentAway = responses.filter(
    ({ status, header }) => status === 503 && header('retry-after') !== undefined,
  ).length;
  if (entered + sentAway !== CROWD) throw new Error('Some requests neither signed in nor got a Retry-After.');
  const p99 = quantile(probes, 0.99);
  const calm = p99 < MOST_PROBE_MS && sentAway > 0;
  console.log(
    `${calm ? 'PASS' : 'FAIL'} ${CROWD} at once: ${entered} entered, ${sentAway} got 503 with Retry-After; ` +
      `/health/live p50 ${quantile(probes, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${probes.length} probes (below ${MOST_PROBE_MS})`,
  );
  return calm;
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  let left = count;
  const startedAt = performance.now();
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, one));
  return count / ((performance.now() - startedAt) / 1000);
}

/** Each request from its own address, like a real crowd. */
async function post(port: number, key: string, email: string, visitor: number): Promise<HttpResponse> {
  const address = `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;
  const cookie = cookies.get(email);
  const response = await ask(port, {
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    headers: {
      'Content-Type': 'application/json',
      apikey: key,
      'X-Forwarded-For': address,
      ...(cookie !== undefined && { cookie }),
    },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const given = response.header('set-cookie')?.split(';')[0];
  if (given !== undefined) cookies.set(email, given);
  return response;
}

/** Over a connection that is free, or over a new one. */
async function ask(port: number, question: Question): Promise<HttpResponse> {
  const connection = connections.pop() ?? (await Connection.open(port));
  const response = await connection.ask(question);
  connections.push(connection);
  return response;
}

/** Resolves with the process id of PostgreSQL. */
async function seedAccounts(passwordHash: string): Promise<number> {
  const client = new Client(database.address);
  await client.connect();
  await client.query(
    `insert into auth.users (email, encrypted_password, email_confirmed_at)
       select 'owner-' || number || '@example.com', $1, now() from generate_series(0, $2::int - 1) as number`,
    [passwordHash, ACCOUNTS],
  );
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const engine = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return engine;
}

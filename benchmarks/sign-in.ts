import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { createPasswordHasher } from '#server/auth/password-hasher.ts';
import { type Answer, Connection, type Question } from './support/connection.ts';
import { cpuTimeOf, parentOf } from './support/cpu-time.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, startService } from './support/start-service.ts';

/**
 * Sign-ins with a password through the whole server, beside bare Argon2id with the same parameters on the same pool, so
 * many under way that the pool is never idle; and what a crowd that signs in at the same moment does to everybody else.
 * `docs/benchmarks.md` says how to read it.
 *
 *   node benchmarks/sign-in.ts
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
/** Those that are open and free. */
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
  // What runs for the first time costs more than the hash itself; afterwards each account has a device that is known.
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
          if (!(await hasher.matches(PASSWORD, stored))) throw new Error('The password did not match.');
        }),
    };
    // Taking turns at going first, so that what disturbs the machine disturbs each alike.
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

  // On a machine that is busy with other things the clock says little; this is the same ratio by the work that was done.
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

/** Everybody at the same moment: who is let in, who is sent away and when to come back, and how a probe fares meanwhile. */
async function meetCrowd(port: number, signIn: () => Promise<Answer>): Promise<boolean> {
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
  const answers = await Promise.all(Array.from({ length: CROWD }, signIn));
  waiting = false;
  await probing;
  const entered = answers.filter(({ status }) => status === 200).length;
  const sentAway = answers.filter(({ status, header }) => status === 503 && header('retry-after') !== undefined).length;
  if (entered + sentAway !== CROWD) throw new Error('Some were neither let in nor told when to come back.');
  const p99 = quantile(probes, 0.99);
  const calm = p99 < MOST_PROBE_MS && sentAway > 0;
  console.log(
    `${calm ? 'PASS' : 'FAIL'} ${CROWD} at once: ${entered} entered, ${sentAway} were answered 503 with Retry-After; ` +
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

/** Each from an address of its own, as a crowd is. */
async function post(port: number, key: string, email: string, visitor: number): Promise<Answer> {
  const address = `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;
  const cookie = cookies.get(email);
  const answer = await ask(port, {
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
  const given = answer.header('set-cookie')?.split(';')[0];
  if (given !== undefined) cookies.set(email, given);
  return answer;
}

/** Over a connection that is free, or over a new one. */
async function ask(port: number, question: Question): Promise<Answer> {
  const connection = connections.pop() ?? (await Connection.open(port));
  const answer = await connection.ask(question);
  connections.push(connection);
  return answer;
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

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

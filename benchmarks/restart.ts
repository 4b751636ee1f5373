import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '#server/free-port.ts';
import { makeSecrets } from '#server/secrets.ts';
import { Burners } from './support/burners.ts';
import { descendantsOf } from './support/cpu-time.ts';
import { median } from './support/figures/median.ts';
import { seedItems } from './support/seeds/seed-items.ts';

/**
 * The server is killed while it works, and started again at once as an operator does: how long until a finder's page is
 * served. `docs/benchmarks.md` says how to read it.
 *
 *   node benchmarks/restart.ts [--busy] [--root <another checkout, built>]
 */
const KILLS = Number(process.env.BENCHMARK_KILLS ?? 20);
const ITEMS = 100_000;
const MOST_MS = 3_000;
const READERS = 4;
const WRITERS = 4;
/** Work between two kills. */
const WORK_MS = 1_500;
/** With a program on each core that never rests. */
const isBusy = process.argv.includes('--busy');
const root = argument('--root') ?? resolve(import.meta.dirname, '..');

const folder = await mkdtemp(join(tmpdir(), 'reunite-restart-'));
// As root the engine runs as another account, which must be able to reach its data.
await chmod(folder, 0o711);
const port = await freePort();
const secrets = await makeSecrets();
const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
  EMBEDDED_POSTGRES: 'true',
  DATA_DIRECTORY: folder,
  JWT_KEYS: JSON.stringify(secrets.jwtKeys),
  REFRESH_TOKEN_SECRET: secrets.refreshTokenSecret,
  PUBLISHABLE_KEY: secrets.publishableKey,
  SECRET_KEY: secrets.secretKey,
  TRUSTED_PROXIES: '1',
  LOG_LEVEL: 'warn',
  // Set because production requires it; nothing is sent.
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'benchmark@example.com',
};
let launcher = 0;
let stopped = false;
const burners = new Burners();
try {
  await serveAgain('');
  console.log('Seeding …');
  const database = await databaseAddress();
  const codes = await seedItems(database, ITEMS, 1_000);
  const [code = ''] = codes;
  const work = Promise.all([
    ...Array.from({ length: READERS }, (_, reader) => readPages(codes, reader)),
    ...Array.from({ length: WRITERS }, () => writeMessages(database)),
  ]);
  if (isBusy) burners.start();
  for (const what of ['everything', 'the server alone'] as const) {
    const times: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(WORK_MS);
      // The launcher, the server, PostgreSQL and its children; or the launcher and the server.
      const family = descendantsOf(launcher);
      const killed = what === 'everything' ? family : family.filter(({ name }) => !name.startsWith('postgres'));
      for (const { pid } of [{ pid: launcher }, ...killed.filter(({ name }) => name !== 'sh')]) endNow(pid);
      times.push(await serveAgain(code));
    }
    const slowest = Math.max(...times);
    const passes = slowest <= MOST_MS;
    console.log(
      `${passes ? 'PASS' : 'FAIL'}: ${what} killed ${KILLS} times, ${isBusy ? 'both cores kept busy' : 'nothing beside it'}: ` +
        `serves after ${Math.round(median(times))} ms (median), ${Math.round(slowest)} ms (slowest)`,
    );
    if (!passes) process.exitCode = 1;
  }
  stopped = true;
  await work;
} finally {
  stopped = true;
  burners.stop();
  for (const { pid } of [{ pid: launcher }, ...descendantsOf(launcher)]) endNow(pid);
  await pause(500);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Starts the program as an operator does, and resolves with the milliseconds until the page of a code is served. */
async function serveAgain(code: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  launcher = child.pid ?? 0;
  for (;;) {
    if (await isServed(code)) return performance.now() - began;
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    await pause(10);
  }
}

async function isServed(code: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${code === '' ? '/health/ready' : `/item/${code}`}`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function readPages(codes: readonly string[], reader: number): Promise<void> {
  for (let turn = reader; !stopped; turn += READERS) {
    if (!(await isServed(codes[(turn * 7919) % codes.length] ?? ''))) await pause(250);
  }
}

/** Messages to owners all over the table, one after the other, each its own transaction. */
async function writeMessages(database: Awaited<ReturnType<typeof databaseAddress>>): Promise<void> {
  while (!stopped) {
    const client = new Client(database);
    client.on('error', () => undefined);
    try {
      await client.connect();
      while (!stopped) {
        await client.query({
          name: 'write',
          text: `with item as (
              select id, user_id from public.items where qr_id > 'tgt-' || substr(md5(random()::text), 1, 20) order by qr_id limit 1
            ), conversation as (
              insert into public.conversations (item_id, owner_id) select id, user_id from item returning id, item_id, owner_id
            )
            insert into public.messages (conversation_id, item_id, owner_id, sender, body)
              select id, item_id, owner_id, 'finder', 'Your keys are at the front desk.' from conversation`,
        });
      }
    } catch {
      // Each attempt costs PostgreSQL a process.
      await pause(250);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function databaseAddress() {
  const host = join(folder, 'postgres');
  const password = (await readFile(join(host, 'reunite-password'), 'utf8')).trim();
  return { host, port: 5432, user: 'reunite', password, database: 'reunite' };
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended by itself in between.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function argument(name: string): string | undefined {
  const place = process.argv.indexOf(name);
  return place === -1 ? undefined : process.argv[place + 1];
}

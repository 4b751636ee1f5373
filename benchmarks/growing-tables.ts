import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import pino from 'pino';
import { openDatabase } from '#server/postgres/database.ts';
import { beginningsOf, type KeyRange } from '#server/storage/blobs/blob-store.ts';
import { sweepStorage } from '#server/storage/sweep-storage.ts';
import { chosenCalls } from './support/chosen-calls.ts';
import { Connection, type Question } from './support/connection.ts';
import { postmasterOf } from './support/contender.ts';
import { cpuTimeOf } from './support/cpu-time.ts';
import { median, medianRatio, quantile } from './support/figures/median.ts';
import { finderRequest } from './support/finder-request.ts';
import { choosePhotographed, type PhotographedItem } from './support/seeds/add-photos.ts';
import { openSeeded } from './support/seeds/open-seeded.ts';
import { chooseCodes } from './support/seeds/seed-items.ts';
import type { BenchmarkDatabase } from './support/start-database.ts';
import { type BenchmarkService, requireBuiltPages, startService } from './support/start-service.ts';

/**
 * Measures how the cost of a look-up, of the finder's document, of a page of an owner's items, of a message, of tagging
 * an item and of deleting one with a photo grows with the tables, through the whole server; and the time of the hourly
 * sweep. It counts the pages of the database that each of them looks at. Every item has a photo and a message, and every
 * owner ten items. The sizes take turns. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/growing-tables.ts
 *
 * BENCHMARK_SIZES is a list of numbers of items, the reference first. BENCHMARK_FOLDER names a folder in which the seeded
 * databases stay, for the next run. BENCHMARK_CALLS chooses some of the calls, and no sweep. BENCHMARK_SHARED_BUFFERS is a
 * list of MiB, one for each size: PostgreSQL then keeps so much of the tables in huge pages, which the system must have
 * reserved (`vm.nr_hugepages`, of 2 MiB each).
 */
const SIZES = (process.env.BENCHMARK_SIZES ?? '100000,1000000').split(',').map(Number);
const SHARED_BUFFERS = process.env.BENCHMARK_SHARED_BUFFERS?.split(',').map(Number);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 7);
const REQUESTS = {
  'look-up': 4_000,
  document: 3_000,
  'own items': 2_000,
  message: 1_000,
  tag: 300,
  delete: 300,
} as const;
const CONNECTIONS = 4;
const ITEMS_OF_AN_OWNER = 10;
const MOST_GROWTH = 1.15;
/** Different codes that are asked for, one after the other. The server keeps the documents of those that come again. */
const CODES = 80_000;
/** A minute of each hour. */
const MOST_SWEEP_MS = 60_000;

interface Figures {
  /** Microseconds of CPU time a request, one a round. */
  readonly cpuTimes: number[];
  /** Milliseconds of every request. */
  readonly times: number[];
}

/** What all requests of an act have done to pages of the database, the warm-up and the jobs that follow included. */
interface Pages {
  /** Looked at, in PostgreSQL's shared buffers or not. */
  readonly touched: number;
  /** Of these, the ones that had to be read into the shared buffers. */
  readonly read: number;
  /** Bytes of PostgreSQL's log (WAL). */
  readonly logged: number;
}

interface Size {
  readonly items: number;
  readonly database: BenchmarkDatabase;
  readonly service: BenchmarkService;
  readonly engine: number;
  /** Returns another code each time, until all were returned. */
  readonly nextCode: () => string;
  readonly photographed: PhotographedItem[];
  readonly figures: Readonly<Record<Act, Figures>>;
}

type Act = keyof typeof REQUESTS;
const ALL = Object.keys(REQUESTS) as readonly Act[]; // The keys of the object literal above.
const ACTS = chosenCalls(ALL);

const kept = process.env.BENCHMARK_FOLDER;
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'reunite-benchmark-')));
// As root the engine runs as another account, which must be able to reach its data.
await chmod(folder, 0o711);
await requireBuiltPages();
const sizes: Size[] = [];
const databases: BenchmarkDatabase[] = [];
try {
  for (const [index, items] of SIZES.entries()) {
    const owners = items / ITEMS_OF_AN_OWNER;
    const sharedBuffers = SHARED_BUFFERS?.[index];
    const settings = sharedBuffers && { shared_buffers: `${sharedBuffers}MB`, huge_pages: 'on' };
    const database = await openSeeded(join(folder, String(items)), { items, owners }, settings || {});
    databases.push(database);
    const { address } = database;
    const photographed = await choosePhotographed(address, (ROUNDS + 1) * REQUESTS.delete + REQUESTS['own items']);
    // These will be deleted.
    const deleted = new Set(photographed.map(({ code }) => code));
    const codes = (await chooseCodes(address, CODES)).filter((code) => !deleted.has(code));
    let asked = 0;
    const nextCode = () => {
      asked += 1;
      return codes[asked % codes.length] ?? '';
    };
    await sendNoNotices(address);
    const engine = await postmasterOf(database);
    const service = await startService(database);
    const figures = Object.fromEntries(ACTS.map((act) => [act, { cpuTimes: [], times: [] }]));
    // One entry for each of ACTS.
    sizes.push({
      items,
      database,
      service,
      engine,
      nextCode,
      photographed,
      figures: figures as unknown as Size['figures'],
    });
  }
  for (const { address } of databases) await fillSharedBuffers(address);
  // Where memory has room for them. What a disk takes to read a page at random is not measured.
  for (const database of databases) await readFiles(join(database.folder, 'data/base'));
  for (const act of ACTS) {
    const before = await Promise.all(sizes.map(pagesOf));
    // The first round is the warm-up.
    for (let round = -1; round < ROUNDS; round += 1) {
      for (let turn = 0; turn < sizes.length; turn += 1) {
        const size = sizes[(round + 1 + turn) % sizes.length];
        if (size !== undefined) await measure(size, act, round >= 0);
      }
    }
    report(act);
    const after = await Promise.all(sizes.map(pagesOf));
    for (const [index, size] of sizes.entries()) reportPages(size, act, before[index], after[index]);
  }
  if (ACTS.length === ALL.length) for (const size of sizes) await measureSweep(size);
} finally {
  for (const { service } of sizes) await service.program.stop();
  for (const database of databases) await database.stop();
  if (kept === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Each message would be followed by an email, which no server takes in a benchmark. */
async function sendNoNotices(address: BenchmarkDatabase['address']): Promise<void> {
  const client = new Client(address);
  await client.connect();
  await client.query('alter table public.messages disable trigger messages_enqueue_notice');
  await client.end();
}

/**
 * Fills PostgreSQL's memory with pages of photos, which hardly any call needs. A page that is read then takes the place of
 * another, as it does after a day of use, and not memory that was never used. Where the memory was chosen, all other
 * tables and indexes follow.
 */
async function fillSharedBuffers(address: BenchmarkDatabase['address']): Promise<void> {
  const client = new Client(address);
  await client.connect();
  try {
    await client.query('create extension if not exists pg_prewarm');
    await client.query("select pg_prewarm('storage.objects')");
    if (SHARED_BUFFERS === undefined) return;
    await client.query(
      `select pg_prewarm(pg_class.oid) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
         where relkind in ('r', 'i') and nspname !~ '^pg_' and nspname <> 'information_schema'
           and pg_class.oid <> 'storage.objects'::regclass`,
    );
  } finally {
    await client.end();
  }
}

/** Reads every file in a folder and those below, so that the operating system keeps them in memory. */
async function readFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // PostgreSQL replaces files with caches of its own at any time.
    if (!entry.isFile() || entry.name === 'pg_internal.init') continue;
    for await (const _ of createReadStream(join(entry.parentPath, entry.name), { highWaterMark: 2 ** 20 }));
  }
}

async function measure(size: Size, act: Act, counts: boolean): Promise<void> {
  const { service, engine, nextCode, photographed, figures } = size;
  const wanted = REQUESTS[act];
  const items = act === 'delete' ? photographed.splice(0, wanted) : photographed.slice(0, wanted);
  const requests: Question[] = [];
  if (act === 'look-up' || act === 'document' || act === 'message') {
    while (requests.length < wanted) requests.push(finderRequest(act, service, nextCode()));
  } else for (const item of items) requests.push(ownerRequest(act, item, await headersOf(service, item)));
  const before = cpuTimeOf([service.program.pid, engine]);
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await Connection.open(service.port);
      for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
        const startedAt = performance.now();
        const { status, body } = await connection.ask(request);
        times.push(performance.now() - startedAt);
        if (status !== 200 && status !== 201) throw new Error(`${act}: ${status} ${body.slice(0, 200)}`);
      }
      connection.close();
    }),
  );
  if (!counts) return;
  figures[act].cpuTimes.push((cpuTimeOf([service.program.pid, engine]) - before) / wanted);
  figures[act].times.push(...times);
}

async function headersOf({ accessToken, publishableKey }: BenchmarkService, { owner, session }: PhotographedItem) {
  return {
    apikey: publishableKey,
    Authorization: `Bearer ${await accessToken({ sub: owner, session_id: session })}`,
    'Content-Type': 'application/json',
    // Connections read only responses with a length.
    Prefer: 'return=representation',
  };
}

function ownerRequest(
  act: 'own items' | 'tag' | 'delete',
  { id, owner }: PhotographedItem,
  headers: Readonly<Record<string, string>>,
): Question {
  if (act === 'delete') return { method: 'DELETE', path: `/rest/v1/items?id=eq.${id}&select=id`, headers };
  if (act === 'own items') {
    const path = `/rest/v1/items?select=id,qr_id,item_name,description&user_id=eq.${owner}&order=qr_id&limit=20`;
    return { method: 'GET', path, headers };
  }
  const item = {
    qr_id: `tgt-${randomBytes(16).toString('base64url')}`,
    user_id: owner,
    item_type: 'keys',
    item_name: 'Keys',
    description: 'Three keys on a blue ring',
  };
  return { method: 'POST', path: '/rest/v1/items?select=id', headers, body: JSON.stringify(item) };
}

function report(act: Act): void {
  const [reference] = sizes;
  for (const { items, figures } of sizes) {
    const { cpuTimes, times } = figures[act];
    const spent = `${median(cpuTimes).toFixed(0)} µs CPU (${Math.min(...cpuTimes).toFixed(0)} to ${Math.max(...cpuTimes).toFixed(0)})`;
    const waited = `${median(times).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`;
    console.log(`${act} among ${items.toLocaleString('en')} items: ${spent}; ${waited}`);
    if (reference === undefined || reference.figures === figures) continue;
    const growth = medianRatio(cpuTimes, reference.figures[act].cpuTimes);
    const passed = growth <= MOST_GROWTH;
    console.log(
      `${passed ? 'PASS' : 'FAIL'} ${growth.toFixed(2)} × the CPU time of the first size (at most ${MOST_GROWTH})`,
    );
    if (!passed) process.exitCode = 1;
  }
}

/** PostgreSQL's own counts, which do not depend on the machine. */
async function pagesOf({ database: { address } }: Size): Promise<Pages> {
  // A session that has nothing to do reports its counts within so long.
  await pause(11_000);
  const client = new Client(address);
  await client.connect();
  try {
    const { rows } = await client.query<Pages>(
      `select (blks_hit + blks_read)::float8 as touched, blks_read::float8 as read,
           pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as logged
         from pg_stat_database where datname = current_database()`,
    );
    const [pages] = rows;
    if (pages === undefined) throw new Error('PostgreSQL counts nothing for this database.');
    return pages;
  } finally {
    await client.end();
  }
}

function reportPages({ items }: Size, act: Act, before: Pages | undefined, after: Pages | undefined): void {
  if (before === undefined || after === undefined) return;
  const requests = (ROUNDS + 1) * REQUESTS[act];
  const each = (of: keyof Pages) => (after[of] - before[of]) / requests;
  console.log(
    `${act} among ${items.toLocaleString('en')} items: ${each('touched').toFixed(0)} pages, ${each('read').toFixed(1)} of them not in the shared buffers; ${(each('logged') / 1_000).toFixed(1)} kB of log`,
  );
}

/**
 * One hour's sweep of a storage whose every file has its row. Files are listed from these rows. Of the largest tables an
 * hour's part is measured, which is a 24th.
 */
async function measureSweep({ items, database: { address } }: Size): Promise<void> {
  const log = pino({ level: 'error' });
  const database = openDatabase({ address, log });
  let listed = 0;
  let removed = 0;
  const files = {
    blobs: {
      async *list(range: KeyRange) {
        for (const beginning of beginningsOf(range)) {
          const { rows } = await database.asOwner<{ version: string }>({
            text: 'select version from storage.objects where version between $1 and $2',
            values: [beginning, `${beginning}g`],
          });
          for (const { version } of rows) yield { key: version, storedAt: 0 };
          listed += rows.length;
        }
      },
      remove: async () => {
        removed += 1;
      },
    },
    spool: { sweep: async () => 0 },
  };
  const startedAt = performance.now();
  // Only these parts of the storage are used.
  const parts = { files, database, log, now: Date.now, config: { storage: { keepRemovedHours: 0 } } };
  await sweepStorage(parts as unknown as Parameters<typeof sweepStorage>[0]);
  const took = performance.now() - startedAt;
  await database.close();
  const passed = took <= MOST_SWEEP_MS;
  if (!passed) process.exitCode = 1;
  console.log(
    `${passed ? 'PASS' : 'FAIL'} sweep of ${items.toLocaleString('en')} photos: ${(took / 1000).toFixed(1)} s (at most ${MOST_SWEEP_MS / 1_000}), of which ${listed.toLocaleString('en')} were looked at; ${removed} files removed`,
  );
}

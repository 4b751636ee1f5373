import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import pino from 'pino';
import { openDatabase } from '#server/postgres/database.ts';
import { sweepStorage } from '#server/storage/sweep-storage.ts';
import { addPhotos, type PhotographedItem } from './support/add-photos.ts';
import { Connection } from './support/connection.ts';
import { postmasterOf } from './support/contender.ts';
import { cpuTimeOf } from './support/cpu-time.ts';
import { median, medianRatio, quantile } from './support/median.ts';
import { seedItems } from './support/seed-items.ts';
import { type BenchmarkDatabase, startDatabase } from './support/start-database.ts';
import { type BenchmarkService, startService } from './support/start-service.ts';

/**
 * Measures how the cost of tagging an item, and of deleting an item with a photo, grows with the tables, through the
 * whole server and with every item photographed; and the time of the hourly sweep. The sizes take turns.
 * `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/growing-tables.ts
 *
 * BENCHMARK_SIZES is a list of numbers of items, the reference first.
 */
const SIZES = (process.env.BENCHMARK_SIZES ?? '100000,1000000').split(',').map(Number);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 7);
const REQUESTS = 300;
const CONNECTIONS = 4;
const MOST_GROWTH = 1.2;
/** The timeout of a statement of the service. */
const MOST_STATEMENT_MS = 15_000;

interface Figures {
  /** Microseconds of CPU time a request, one a round. */
  readonly cpuTimes: number[];
  /** Milliseconds of every request. */
  readonly times: number[];
}

interface Size {
  readonly items: number;
  readonly database: BenchmarkDatabase;
  readonly service: BenchmarkService;
  readonly engine: number;
  readonly photographed: PhotographedItem[];
  readonly figures: Readonly<Record<Act, Figures>>;
}

const ACTS = ['tag', 'delete'] as const;
type Act = (typeof ACTS)[number];

const sizes: Size[] = [];
const databases: BenchmarkDatabase[] = [];
try {
  for (const items of SIZES) {
    console.log(`Seeding ${items.toLocaleString('en')} items with photos …`);
    const database = await startDatabase();
    databases.push(database);
    await seedItems(database.address, items, 1);
    const photographed = await addPhotos(database.address, REQUESTS * (ROUNDS + 1));
    const engine = await postmasterOf(database);
    const service = await startService(database);
    const figures = { tag: { cpuTimes: [], times: [] }, delete: { cpuTimes: [], times: [] } };
    sizes.push({ items, database, service, engine, photographed, figures });
  }
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const act of ACTS) {
      for (let turn = 0; turn < sizes.length; turn += 1) {
        const size = sizes[(round + 1 + turn) % sizes.length];
        // The first round is the warm-up.
        if (size !== undefined) await measure(size, act, round >= 0);
      }
    }
  }
  for (const act of ACTS) report(act);
  for (const size of sizes) await measureSweep(size);
} finally {
  for (const { service } of sizes) await service.program.stop();
  for (const database of databases) await database.stop();
}

async function measure({ service, engine, photographed, figures }: Size, act: Act, counts: boolean): Promise<void> {
  const requests = await Promise.all(
    photographed
      .splice(0, act === 'delete' ? REQUESTS : 0)
      .map(async (item) => deletionOf(item, await headersOf(service, item))),
  );
  if (act === 'tag') {
    for (const item of photographed.slice(0, REQUESTS)) requests.push(taggingOf(item, await headersOf(service, item)));
  }
  const before = cpuTimeOf([service.program.pid, engine]);
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await Connection.open(service.port);
      for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
        const startedAt = performance.now();
        const { status, body } = await connection.ask(request);
        times.push(performance.now() - startedAt);
        if (status !== 200 && status !== 201) throw new Error(`${act}: ${status} ${body}`);
      }
      connection.close();
    }),
  );
  if (!counts) return;
  figures[act].cpuTimes.push((cpuTimeOf([service.program.pid, engine]) - before) / REQUESTS);
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

function deletionOf({ id }: PhotographedItem, headers: Readonly<Record<string, string>>) {
  return { method: 'DELETE', path: `/rest/v1/items?id=eq.${id}&select=id`, headers, body: '' };
}

function taggingOf({ owner }: PhotographedItem, headers: Readonly<Record<string, string>>) {
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

/** The sweep of a storage whose every file has its row. Files are listed from memory and none is removed. */
async function measureSweep({ items, database: { address } }: Size): Promise<void> {
  const log = pino({ level: 'error' });
  const database = openDatabase({ address, log });
  const { rows: versions } = await database.asOwner<{ version: string }>({
    text: 'select version from storage.objects',
  });
  let removed = 0;
  const files = {
    blobs: {
      async *list() {
        for (const { version } of versions) yield { key: version, storedAt: 0 };
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
  const batches = Math.ceil(versions.length / 500) * 2;
  const each = took / batches;
  const passed = each <= MOST_STATEMENT_MS;
  if (!passed) process.exitCode = 1;
  console.log(
    `${passed ? 'PASS' : 'FAIL'} sweep of ${items.toLocaleString('en')} photos: ${(took / 1000).toFixed(1)} s in ${batches} statements of ${each.toFixed(1)} ms; ${removed} files removed`,
  );
}

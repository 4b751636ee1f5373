import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { cpuTimeOf, parentOf } from './support/cpu-time.ts';
import { drive } from './support/drive.ts';
import { seedItems } from './support/seed-items.ts';
import { type BenchmarkDatabase, startDatabase } from './support/start-database.ts';
import { startProgram } from './support/start-program.ts';
import { startService } from './support/start-service.ts';

/**
 * The anonymous look-up of one item out of a million through the whole server, beside a bare `node:http` server that
 * sends the same one-row query with the same driver. `docs/benchmarks.md` says how to read it.
 *
 *   node benchmarks/lookup.ts [--profile]
 */
const ITEMS = Number(process.env.BENCHMARK_ITEMS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 11);
const REQUESTS = 8_000;
const WARM_UP_REQUESTS = 20_000;
const CONNECTIONS = 32;
const MOST_CPU_TIME = 1.4;
const LEAST_THROUGHPUT = 0.7;

interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  request(code: string): string;
  stop(): Promise<void>;
  /** One figure a round: microseconds of CPU time a request, and requests a second. */
  readonly cpuTimes: number[];
  readonly throughputs: number[];
}

const profile = process.argv.includes('--profile');
// Found out before the seeding, not after it.
await access(resolve(import.meta.dirname, '../build/server/index.js')).catch(() => {
  throw new Error('The pages are not built yet. Build them with: npm run build');
});
const database = await startDatabase();
const contenders: Contender[] = [];
try {
  console.log(`Seeding ${ITEMS.toLocaleString('en')} items …`);
  const codes = await seedItems(database.address, ITEMS, 20_000);
  const engine = await postmasterOf(database);
  contenders.push(
    await wholeServer(database),
    await bareServer(database, 'pooled'),
    await bareServer(database, 'pipelined'),
  );

  const measure = async ({ pid, port, request }: Contender, requests: number) => {
    const before = cpuTimeOf([pid, engine]);
    const seconds = await drive({ port, request, codes, connections: CONNECTIONS, requests });
    return { cpuTime: (cpuTimeOf([pid, engine]) - before) / requests, throughput: requests / seconds };
  };
  for (const contender of contenders) await measure(contender, WARM_UP_REQUESTS);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each round begins with another one, so that what disturbs the machine disturbs each alike.
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(round + turn) % contenders.length];
      if (contender === undefined) continue;
      const { cpuTime, throughput } = await measure(contender, REQUESTS);
      contender.cpuTimes.push(cpuTime);
      contender.throughputs.push(throughput);
    }
  }
  report(contenders);
} finally {
  for (const contender of contenders) await contender.stop();
  await database.stop();
}

async function wholeServer(database: BenchmarkDatabase): Promise<Contender> {
  const runtime = profile ? ['--cpu-prof', '--cpu-prof-dir=.benchmark-profiles'] : [];
  const { program, port, publishableKey } = await startService(database, runtime);
  return contender('the whole server', program, port, (code) =>
    [
      `GET /rest/v1/rpc/find_item?qr_id_param=${code} HTTP/1.1`,
      'Host: localhost',
      `apikey: ${publishableKey}`,
      `Authorization: Bearer ${publishableKey}`,
      'Accept: application/json',
      'X-Client-Info: supabase-js-web/2.119.0',
      '\r\n',
    ].join('\r\n'),
  );
}

async function bareServer(database: BenchmarkDatabase, kind: 'pooled' | 'pipelined'): Promise<Contender> {
  const { program, found } = await startProgram(
    ['benchmarks/support/bare-server.ts', kind, JSON.stringify(database.address)],
    {
      output: join(database.folder, `bare-${kind}.log`),
      ready: /^\d+$/m,
    },
  );
  return contender(
    `bare node:http + pg, ${kind}`,
    program,
    Number(found[0]),
    (code) => `GET /?code=${code} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  );
}

function contender(
  name: string,
  { pid, stop }: { pid: number; stop(): Promise<void> },
  port: number,
  request: (code: string) => string,
): Contender {
  return { name, pid, port, request, stop, cpuTimes: [], throughputs: [] };
}

/** Every backend is a child of the postmaster, so any one of them leads to it. */
async function postmasterOf({ address }: BenchmarkDatabase): Promise<number> {
  const client = new Client(address);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const engine = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return engine;
}

function report([ours, ...bare]: readonly Contender[]): void {
  if (ours === undefined) return;
  for (const { name, cpuTimes, throughputs } of [ours, ...bare]) {
    console.log(
      `${name}: ${median(cpuTimes).toFixed(0)} µs CPU a request, ${median(throughputs).toFixed(0)} requests/s (medians)`,
    );
  }
  // The target is set against the driver's best form, and the other one is told beside it.
  const best = bare.toSorted((a, b) => median(a.cpuTimes) - median(b.cpuTimes))[0];
  for (const other of bare) {
    const cpu = median(ours.cpuTimes.map((figure, round) => figure / (other.cpuTimes[round] ?? Number.NaN)));
    const throughput = median(
      ours.throughputs.map((figure, round) => figure / (other.throughputs[round] ?? Number.NaN)),
    );
    const ratios = `${cpu.toFixed(2)} × CPU time, ${throughput.toFixed(2)} × throughput of ${other.name}`;
    if (other !== best) {
      console.log(`     ${ratios}`);
      continue;
    }
    const passed = cpu <= MOST_CPU_TIME && throughput >= LEAST_THROUGHPUT;
    console.log(`${passed ? 'PASS' : 'FAIL'} ${ratios} (at most ${MOST_CPU_TIME}, at least ${LEAST_THROUGHPUT})`);
    process.exitCode = passed ? 0 : 1;
  }
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2;
}

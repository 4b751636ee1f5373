import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/free-port.ts';
import { postmasterOf } from './support/contender.ts';
import { descendantsOf } from './support/cpu-time.ts';
import { median } from './support/figures/median.ts';
import { preciseCpuTimeOf } from './support/precise-cpu-time.ts';
import { startDatabase } from './support/start-database.ts';
import { requireBuiltPages, startService } from './support/start-service.ts';

/**
 * Measures what it costs to read the metrics each second: the CPU time of a server without requests, and of PostgreSQL,
 * with and without scrapes in turns, and that of scrapes one after the other. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/scrapes.ts
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 7);
const SECONDS = 8;
const IN_A_ROW = 50;

await requireBuiltPages();
const database = await startDatabase();
try {
  for (const processes of [1, 2]) await measure(processes);
} finally {
  await database.stop();
}

async function measure(processes: number): Promise<void> {
  const port = await freePort();
  const environment = { METRICS_PORT: String(port), WEB_PROCESSES: String(processes) };
  const service = await startService(database, { environment });
  try {
    await requestEveryKind(service.port, service.publishableKey);
    const engine = await postmasterOf(database);
    const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const used = () => {
      const pids = [service.program.pid, engine].flatMap((pid) => [
        pid,
        ...descendantsOf(pid).map((child) => child.pid),
      ]);
      return pids.reduce((sum, pid) => sum + preciseCpuTimeOf(pid), 0);
    };
    /** Microseconds of CPU time a second. */
    const during = async (isScraped: boolean) => {
      const startedAt = performance.now();
      const before = used();
      for (let second = 1; second <= SECONDS; second += 1) {
        if (isScraped) await scrape();
        await pause(Math.max(0, startedAt + second * 1_000 - performance.now()));
      }
      return (used() - before) / ((performance.now() - startedAt) / 1_000);
    };
    const inARow = async () => {
      const before = used();
      for (let count = 0; count < IN_A_ROW; count += 1) await scrape();
      return (used() - before) / IN_A_ROW;
    };
    await inARow();
    const figures = { quiet: [] as number[], scraped: [] as number[], each: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const isScraped of round % 2 === 0 ? [false, true] : [true, false]) {
        figures[isScraped ? 'scraped' : 'quiet'].push(await during(isScraped));
      }
      figures.each.push(await inARow());
    }
    const text = await scrape();
    const more = median(figures.scraped.map((scraped, round) => scraped - (figures.quiet[round] ?? Number.NaN)));
    console.log(
      `${processes} process(es), ${text.length} bytes in ${text.split('\n').length} lines: ` +
        `${(more / 10_000).toFixed(2)} % of a core for a scrape each second ` +
        `(${(median(figures.quiet) / 10_000).toFixed(2)} % without, ${(median(figures.scraped) / 10_000).toFixed(2)} % with); ` +
        `${median(figures.each).toFixed(0)} µs of CPU time for one of many in a row`,
    );
  } finally {
    await service.program.stop();
  }
}

/** Requests of each service with each method, so that the metrics have the series of a server in use. */
async function requestEveryKind(port: number, apikey: string): Promise<void> {
  const paths = ['/', '/item/tgt-nothing', '/health/ready', '/assets/nothing', '/auth', '/dashboard'];
  for (const name of ['token', 'user', 'verify', 'signup', 'otp', 'recover', 'resend', 'logout', 'factors', 'settings'])
    paths.push(`/auth/v1/${name}`);
  for (const name of ['items', 'messages', 'rpc/find_item', 'rpc/send_message']) paths.push(`/rest/v1/${name}`);
  for (const name of ['bucket', 'object/files/one', 'object/list/files', 'object/sign/files/one'])
    paths.push(`/storage/v1/${name}`);
  for (let round = 0; round < 4; round += 1) {
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { apikey, connection: 'close' },
          redirect: 'manual',
        });
        await response.arrayBuffer();
      }
    }
  }
}

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { bareLookUp, type Contender, contender, isResponse, keep, measure, postmasterOf } from '../contender.ts';
import { median, medianRatio } from '../figures/median.ts';
import { seedItems } from '../seeds/seed-items.ts';
import { startDatabase } from '../start-database.ts';
import { type BenchmarkService, requireBuiltPages, startService } from '../start-service.ts';

const TAGS = 100_000;
const ITEMS = Number(process.env.BENCHMARK_ITEMS ?? 200_000);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 11);
const REQUESTS = 8_000;
/** Requests for the baseline, which may take a hundred times as long for each. */
const BASELINE_REQUESTS = 800;
/** What Chromium, Firefox and Safari accept over https. */
const BROWSER = 'gzip, deflate, br, zstd';
const MOST_BYTES = 14_000;
const MOST_COLD_CPU_TIME = 1_000;
const LEAST_HOT_THROUGHPUT = 1;

/**
 * Measures the finder's document through the whole server, for 100,000 different tags in turn and for a single one,
 * compared with the plain look-up of the same items. Prints the figures, and sets the exit code where a target is missed.
 */
export async function measureDocuments(): Promise<void> {
  const profile = process.argv.includes('--profile');
  const baseline = process.env.BENCHMARK_BASELINE;
  await requireBuiltPages();
  const database = await startDatabase();
  const contenders: Contender[] = [];
  try {
    console.log(`Seeding ${ITEMS.toLocaleString('en')} items …`);
    const codes = await seedItems(database.address, ITEMS, TAGS);
    const engine = await postmasterOf(database);
    const service = await startService(database, {
      runtime: profile ? ['--cpu-prof', '--cpu-prof-dir=.benchmark-profiles'] : [],
    });
    const [hotCode = ''] = codes;
    const bytes = await checkDocument(service, hotCode);
    const memory = [await memoryOf(service)];

    const bare = await bareLookUp(database, 'pipelined');
    const bareDocument = await bareLookUp(database, 'pipelined', bytes);
    const cold = documentsOf('cold documents as a browser asks', service, BROWSER);
    const identity = documentsOf('cold documents without an encoding', service, 'identity');
    const hot = documentsOf('one hot document as a browser asks', service, BROWSER);
    contenders.push(bare, bareDocument, cold, identity, hot);
    const before =
      baseline === undefined
        ? undefined
        : documentsOf(
            'cold documents as a browser asks, before',
            await startService(database, { root: resolve(baseline) }),
            BROWSER,
          );
    if (before !== undefined) contenders.push(before);

    /** Tags whose pages are no longer cached, because all others were requested in between. */
    let at = 0;
    const different = (count: number) => {
      const chosen = Array.from({ length: count }, (_, index) => codes[(at + index) % codes.length] ?? '');
      at = (at + count) % codes.length;
      return chosen;
    };
    const codesFor = (asked: Contender, count: number) =>
      asked === hot ? Array.from({ length: count }, () => hotCode) : different(count);
    for (const asked of contenders) {
      const count = asked === cold ? TAGS : asked === before ? BASELINE_REQUESTS : REQUESTS;
      await measure(asked, engine, codesFor(asked, count));
      if (asked === cold || asked === identity) memory.push(await memoryOf(service));
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each round starts with a different contender, so that disturbances affect all contenders alike.
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const asked = contenders[(round + turn) % contenders.length];
        if (asked === undefined) continue;
        keep(asked, await measure(asked, engine, codesFor(asked, asked === before ? BASELINE_REQUESTS : REQUESTS)));
      }
    }
    memory.push(await memoryOf(service));

    for (const { name, cpuTimes, throughputs } of contenders) {
      console.log(
        `${name}: ${median(cpuTimes).toFixed(0)} µs CPU a request, ${median(throughputs).toFixed(0)} requests/s (medians)`,
      );
    }
    console.log(`Memory of the server, idle, after ${TAGS} tags, and later: ${memory.join(', ')} MB`);
    check(`${bytes} bytes`, bytes <= MOST_BYTES, `at most ${MOST_BYTES}`);
    for (const asked of [cold, identity]) {
      const spent = median(asked.cpuTimes);
      const ofBare = medianRatio(asked.throughputs, bare.throughputs);
      check(`${asked.name}: ${spent.toFixed(0)} µs CPU`, spent <= MOST_COLD_CPU_TIME, `at most ${MOST_COLD_CPU_TIME}`);
      console.log(`     ${ofBare.toFixed(2)} × throughput of ${bare.name}`);
    }
    const hotRatio = medianRatio(hot.throughputs, bareDocument.throughputs);
    check(
      `hot: ${hotRatio.toFixed(2)} × throughput of ${bareDocument.name}`,
      hotRatio >= LEAST_HOT_THROUGHPUT,
      `at least ${LEAST_HOT_THROUGHPUT}`,
    );
    if (before !== undefined) {
      const ratio = medianRatio(before.throughputs, bare.throughputs);
      console.log(`     before, cold: ${ratio.toFixed(2)} × throughput of ${bare.name}`);
    }
  } finally {
    for (const asked of new Map(contenders.map((one) => [one.pid, one])).values()) await asked.stop();
    await database.stop();
  }
}

function documentsOf(name: string, { program, port }: BenchmarkService, encoding: string): Contender {
  const asked = contender(
    name,
    program,
    port,
    (code) => `GET /item/${code} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
  );
  // `checkDocument` checks the content of a document once.
  return { ...asked, isRight: isResponse };
}

/** Resolves with the size in bytes of a document as a browser receives it. */
async function checkDocument({ port }: BenchmarkService, code: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/item/${code}`, { headers: { 'Accept-Encoding': 'gzip' } });
  const length = Number(response.headers.get('content-length'));
  // This runtime's `fetch` decompresses the body.
  const html = await response.text();
  if (!html.includes(`Keys ${code.slice(-6)}`)) throw new Error(`Not the document of ${code}:\n${html}`);
  return length;
}

/** Resident megabytes. */
async function memoryOf({ program }: BenchmarkService): Promise<number> {
  const status = await readFile(`/proc/${program.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function check(said: string, passed: boolean, target: string): void {
  console.log(`${passed ? 'PASS' : 'FAIL'} ${said} (${target})`);
  if (!passed) process.exitCode = 1;
}

import { resolve } from 'node:path';
import { bareLookUp, type Contender, keep, lookUpOf, measure, postmasterOf } from './support/contender.ts';
import { median, medianRatio } from './support/figures/median.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { startDatabase } from './support/start-database.ts';
import { requireBuiltPages, startService } from './support/start-service.ts';

/**
 * Measures the anonymous lookup of one item of a million through the whole server, compared with a bare `node:http`
 * server that sends the same one-row query with the same driver. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/lookup.ts [--profile]
 *
 * BENCHMARK_BASELINE names another built copy of the project, which is measured in turns.
 */
const ITEMS = Number(process.env.BENCHMARK_ITEMS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 11);
const REQUESTS = 8_000;
/** Of 20,000 look-ups each: a server's code is fully compiled only after many. */
const WARM_UPS = Number(process.env.BENCHMARK_WARM_UPS ?? 5);
const WARM_UP_REQUESTS = 20_000;
const MOST_CPU_TIME = 1.4;
const LEAST_THROUGHPUT = 0.7;

const profile = process.argv.includes('--profile');
const baseline = process.env.BENCHMARK_BASELINE;
await requireBuiltPages();
const database = await startDatabase();
const contenders: Contender[] = [];
try {
  console.log(`Seeding ${ITEMS.toLocaleString('en')} items …`);
  const codes = await seedItems(database.address, ITEMS, WARM_UP_REQUESTS);
  const engine = await postmasterOf(database);
  const runtime = profile ? ['--cpu-prof', '--cpu-prof-dir=.benchmark-profiles'] : [];
  const ours = lookUpOf('the whole server', await startService(database, { runtime }));
  contenders.push(ours);
  const bare = [await bareLookUp(database, 'pooled'), await bareLookUp(database, 'pipelined')];
  contenders.push(...bare);
  const before =
    baseline === undefined
      ? undefined
      : lookUpOf('the whole server before', await startService(database, { root: resolve(baseline) }));
  if (before !== undefined) contenders.push(before);

  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
    for (const contender of contenders) await measure(contender, engine, codes);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = Array.from(
      { length: REQUESTS },
      (_, index) => codes[(round * REQUESTS + index) % codes.length] ?? '',
    );
    // Each round starts with a different contender, so that disturbances affect all contenders alike.
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const contender = contenders[(round + turn) % contenders.length];
      if (contender !== undefined) keep(contender, await measure(contender, engine, asked));
    }
  }
  report(ours, bare, before);
} finally {
  for (const contender of contenders) await contender.stop();
  await database.stop();
}

function report(ours: Contender, bare: readonly Contender[], before: Contender | undefined): void {
  for (const { name, cpuTimes, throughputs } of [ours, ...bare, ...(before === undefined ? [] : [before])]) {
    console.log(
      `${name}: ${median(cpuTimes).toFixed(0)} µs CPU a request, ${median(throughputs).toFixed(0)} requests/s (medians)`,
    );
  }
  // The target is set against the driver's faster form; the other is printed for comparison.
  const best = bare.toSorted((a, b) => median(a.cpuTimes) - median(b.cpuTimes))[0];
  for (const other of bare) {
    const cpu = medianRatio(ours.cpuTimes, other.cpuTimes);
    const throughput = medianRatio(ours.throughputs, other.throughputs);
    const ratios = ratiosOf(cpu, throughput, other);
    if (other !== best) {
      console.log(`     ${ratios}`);
      continue;
    }
    const passed = cpu <= MOST_CPU_TIME && throughput >= LEAST_THROUGHPUT;
    console.log(`${passed ? 'PASS' : 'FAIL'} ${ratios} (at most ${MOST_CPU_TIME}, at least ${LEAST_THROUGHPUT})`);
    process.exitCode = passed ? 0 : 1;
    if (before === undefined) continue;
    const cpuBefore = medianRatio(before.cpuTimes, other.cpuTimes);
    console.log(`     before: ${ratiosOf(cpuBefore, medianRatio(before.throughputs, other.throughputs), other)}`);
  }
}

function ratiosOf(cpu: number, throughput: number, { name }: Contender): string {
  return `${cpu.toFixed(2)} × CPU time, ${throughput.toFixed(2)} × throughput of ${name}`;
}

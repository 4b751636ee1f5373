import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from './support/connection.ts';
import { judge } from './support/figures/judge.ts';
import { median } from './support/figures/median.ts';
import { finderRequest } from './support/finder-request.ts';
import { sendNoNotices } from './support/notices/send-no-notices.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, requireBuiltPages, startService } from './support/start-service.ts';

/**
 * Measures how long a finder waits for the document and for the confirmation of a message after nobody has used the
 * server for a while, and right afterwards. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/quiet.ts
 *
 * BENCHMARK_BASELINE names another built copy of the project, which takes turns with this one, on the same database.
 */
const ITEMS = 10_000;
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 5);
/** The first messages of a server connect and compile. */
const WARM_UP = 20;
const QUIET_MS = 12_000;
const MOST_GROWTH = 2;
const ACTS = ['document', 'message'] as const;

interface Contender {
  readonly name: string;
  readonly service: BenchmarkService;
  readonly connection: Connection;
  /** Milliseconds. */
  readonly figures: Readonly<Record<(typeof ACTS)[number], { readonly quiet: number[]; readonly next: number[] }>>;
}

await requireBuiltPages();
const database = await startDatabase();
const contenders: Contender[] = [];
try {
  const codes = await seedItems(database.address, ITEMS, ITEMS / 2);
  await sendNoNotices(database);
  const ask = async ({ service, connection }: Contender, act: (typeof ACTS)[number]) => {
    const request = finderRequest(act, service, codes.pop() ?? '');
    const startedAt = performance.now();
    const { status, body } = await connection.ask(request);
    if (status !== 200) throw new Error(`${act}: ${status} ${body.slice(0, 200)}`);
    return performance.now() - startedAt;
  };
  const add = async (name: string, root?: string) => {
    const service = await startService(database, root === undefined ? {} : { root });
    const figures = { document: { quiet: [], next: [] }, message: { quiet: [], next: [] } };
    const contender = { name, service, connection: await Connection.open(service.port), figures };
    contenders.push(contender);
    for (let time = 0; time < WARM_UP; time += 1) for (const act of ACTS) await ask(contender, act);
  };
  await add('this build');
  const { BENCHMARK_BASELINE: baseline } = process.env;
  if (baseline !== undefined) await add('the build before', resolve(baseline));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const act of ACTS) {
      await pause(QUIET_MS);
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const contender = contenders[(round + turn) % contenders.length];
        if (contender === undefined) continue;
        contender.figures[act].quiet.push(await ask(contender, act));
        contender.figures[act].next.push(await ask(contender, act));
      }
    }
  }
  for (const { name, figures } of contenders) {
    for (const act of ACTS) {
      const [quiet, next] = [median(figures[act].quiet), median(figures[act].next)];
      console.log(
        `${act}, ${name}: ${quiet.toFixed(1)} ms after ${QUIET_MS / 1_000} s, ${next.toFixed(1)} ms right afterwards`,
      );
      if (name === 'this build')
        judge(`${(quiet / next).toFixed(2)} × as long (at most ${MOST_GROWTH})`, quiet <= MOST_GROWTH * next);
    }
  }
} finally {
  for (const { service, connection } of contenders) {
    connection.close();
    await service.program.stop();
  }
  await database.stop();
}

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { judge } from './support/figures/judge.ts';
import { median } from './support/figures/median.ts';
import { type Place, preparePlace, type Screen, screens } from './support/first-load/screens.ts';
import { type LoadFigures, launchBrowser, measureLoad } from './support/slow-phone.ts';
import { serveStaticCopy } from './support/static-copy.ts';

/**
 * Measures when a person on a slow phone can first do something on each screen, in turns with a static page, and with
 * another checkout of the product if one is named. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/first-load.ts [--baseline <folder or git reference>] [--files]
 *
 * `--files` lists what each screen received until then. BENCHMARK_SCREENS chooses screens by their names' beginnings.
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 10);
const MOST_OF_STATIC = 1.15;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const root = resolve(import.meta.dirname, '..');

interface Side {
  readonly name: string;
  readonly service: ServiceProcess;
  readonly place: Place;
  readonly loads: ReadonlyMap<string, LoadFigures[]>;
}

const chosen = process.env.BENCHMARK_SCREENS?.split(',');
const measured = screens.filter(({ name }) => chosen === undefined || chosen.some((begin) => name.startsWith(begin)));
const folder = await mkdtemp(join(tmpdir(), 'reunite-first-load-'));
const reference = process.argv.includes('--baseline')
  ? process.argv[process.argv.indexOf('--baseline') + 1]
  : undefined;
const sides: Side[] = [];
let browser: Browser | undefined;
try {
  const current = await startSide('current', root);
  if (reference !== undefined) await startSide('baseline', await openBaseline(reference));
  const copy = await serveStaticCopy(`${current.service.url}/`, join(root, 'build/client'));
  const copied: LoadFigures[] = [];
  browser = await launchBrowser();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      for (const screen of measured) side.loads.get(screen.name)?.push(await load(browser, side, screen));
    const context = await browser.newContext(PHONE);
    copied.push(await measureLoad(context, copy.url, { begin: () => document.readyState !== 'loading' }));
    await context.close();
  }
  await copy.stop();

  const table = sides.flatMap(({ name, loads }) => [...loads].map(([of, all]) => [`${of}, ${name}`, summarize(all)]));
  console.table(Object.fromEntries([...table, ['static page', summarize(copied)]]));
  if (process.argv.includes('--files')) for (const { name } of measured) listFiles(name, current.loads.get(name) ?? []);
  const twice = [...current.loads.values()].flat().flatMap(({ dataRequests }) => findRepeated(dataRequests));
  if (twice.length > 0) console.log('Asked more than once:', [...new Set(twice)]);

  judge('nothing is asked for twice', twice.length === 0);
  for (const { name, most } of measured) {
    const { readyMs, effectMs, firstPaintMs, requests, bytes } = summarize(current.loads.get(name) ?? []);
    judge(`${name}: usable after ${readyMs} ms`, readyMs <= most.readyMs);
    judge(`${name}: ${requests} requests`, requests <= most.requests);
    judge(`${name}: ${bytes} bytes`, bytes <= most.bytes);
    if (most.effectMs !== undefined) judge(`${name}: effect after ${effectMs} ms`, effectMs <= most.effectMs);
    const ofStatic = firstPaintMs / summarize(copied).firstPaintMs;
    if (name === 'landing')
      judge(`${name}: painted ${ofStatic.toFixed(2)} × a static page`, ofStatic <= MOST_OF_STATIC);
  }
} finally {
  await browser?.close();
  for (const { service } of sides) await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

/** Returns the folder of a built checkout. Clones and builds one if `named` is a git reference. */
async function openBaseline(named: string): Promise<string> {
  if (existsSync(join(named, 'build/server/index.js'))) return resolve(named);
  const checkout = join(folder, 'checkout');
  execFileSync('git', ['clone', '--quiet', '--no-checkout', root, checkout]);
  execFileSync(
    'git',
    ['checkout', '--quiet', execFileSync('git', ['rev-parse', named], { cwd: root, encoding: 'utf8' }).trim()],
    { cwd: checkout },
  );
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  execFileSync(join(root, 'node_modules/.bin/react-router'), ['build'], { cwd: checkout, stdio: 'ignore' });
  return checkout;
}

async function startSide(name: string, checkout: string): Promise<Side> {
  const service = await startServiceProcess({ dataDirectory: join(folder, name), root: checkout });
  const place = await preparePlace(service);
  sides.push({ name, service, place, loads: new Map(measured.map((screen) => [screen.name, []])) });
  return sides[sides.length - 1] as Side;
}

/** Loads a screen in a new browser; once more if it is measured with a warm cache. */
async function load(from: Browser, { service, place }: Side, screen: Screen): Promise<LoadFigures> {
  const context = await from.newContext({ ...PHONE, permissions: ['camera'] });
  await screen.prepare?.(context, place);
  const once = (untilQuiet: boolean) =>
    measureLoad(context, service.url + screen.path(place), screen.act, { untilQuiet });
  if (screen.isWarm) await once(true);
  const figures = await once(screen.prepare !== undefined && !screen.isWarm);
  await context.close();
  return figures;
}

function listFiles(name: string, loads: readonly LoadFigures[]): void {
  console.log(name);
  const files = loads.at(-1)?.files ?? [];
  console.table(files.map(({ path, bytes }) => ({ path, bytes })).toSorted((a, b) => b.bytes - a.bytes));
}

function findRepeated(asked: readonly string[]): string[] {
  return asked.filter((path, place) => asked.indexOf(path) !== place);
}

function summarize(loads: readonly LoadFigures[]) {
  const of = (figure: 'readyMs' | 'effectMs' | 'firstPaintMs' | 'requests' | 'bytes') =>
    Math.round(median(loads.map((one) => one[figure])));
  return {
    readyMs: of('readyMs'),
    effectMs: of('effectMs'),
    firstPaintMs: of('firstPaintMs'),
    requests: of('requests'),
    bytes: of('bytes'),
  };
}

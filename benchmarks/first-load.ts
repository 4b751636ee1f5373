import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from '@playwright/test';
import { signIn } from '#tests/e2e/support/sign-in.ts';
import { type Story, seedStory } from '#tests/e2e/support/story.ts';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { judge } from './support/figures/judge.ts';
import { type LoadFigures, launchBrowser, measureLoad } from './support/slow-phone.ts';
import { serveStaticCopy } from './support/static-copy.ts';

/**
 * Measures the first load of the owner's dashboard, of an item's page, and of the landing page on a slow phone; in turns
 * with another checkout of the product, if one is named. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/first-load.ts [--baseline <folder or git reference>]
 */
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 5);
const MOST_REQUESTS = 25;
const MOST_BYTES = 170_000;
const MOST_ITEM_REQUESTS = 31;
const MOST_ITEM_BYTES = 213_000;
const MOST_OF_STATIC = 1.15;
const MOST_LANDING_BYTES = 60_000;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const root = resolve(import.meta.dirname, '..');

interface Side {
  readonly service: ServiceProcess;
  readonly story: Story;
  readonly dashboard: LoadFigures[];
  readonly item: LoadFigures[];
  readonly landing: LoadFigures[];
}

const folder = await mkdtemp(join(tmpdir(), 'reunite-first-load-'));
const reference = process.argv.includes('--baseline')
  ? process.argv[process.argv.indexOf('--baseline') + 1]
  : undefined;
const sides: Side[] = [];
let browser: Browser | undefined;
try {
  const current = await startSide('current', root);
  const baseline = reference === undefined ? undefined : await startSide('baseline', await openBaseline(reference));
  const copy = await serveStaticCopy(`${current.service.url}/`, join(root, 'build/client'));
  const copied: LoadFigures[] = [];
  browser = await launchBrowser();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      side.dashboard.push(await loadDashboard(browser, side));
      side.item.push(await loadItem(browser, side));
      side.landing.push(await loadOnce(browser, `${side.service.url}/`, reactsToClicks));
    }
    copied.push(await loadOnce(browser, copy.url, () => document.readyState !== 'loading'));
  }
  await copy.stop();

  const table = [
    ['dashboard, current', current.dashboard],
    ['item, current', current.item],
    ['landing, current', current.landing],
    ['landing, its document as a static file', copied],
    ['dashboard, baseline', baseline?.dashboard ?? []],
    ['item, baseline', baseline?.item ?? []],
    ['landing, baseline', baseline?.landing ?? []],
  ] as const;
  const measured = table.filter(([, loads]) => loads.length > 0);
  console.table(Object.fromEntries(measured.map(([name, loads]) => [name, summarize(loads)])));
  const twice = [...current.dashboard, ...current.item].flatMap(({ dataRequests }) =>
    dataRequests.filter((asked, place, all) => all.indexOf(asked) !== place),
  );
  if (twice.length > 0) console.log('Asked more than once:', [...new Set(twice)]);

  const dashboard = summarize(current.dashboard);
  const item = summarize(current.item);
  const landing = summarize(current.landing);
  const ofStatic = landing.firstPaintMs / summarize(copied).firstPaintMs;
  judge(`dashboard: ${dashboard.requests} requests`, dashboard.requests <= MOST_REQUESTS);
  judge(`dashboard: ${dashboard.bytes} bytes`, dashboard.bytes <= MOST_BYTES);
  judge('nothing is asked for twice', twice.length === 0);
  judge(`item: ${item.requests} requests`, item.requests <= MOST_ITEM_REQUESTS);
  judge(`item: ${item.bytes} bytes`, item.bytes <= MOST_ITEM_BYTES);
  judge(`landing: first paint ${ofStatic.toFixed(2)} × a static file`, ofStatic <= MOST_OF_STATIC);
  judge(`landing: ${landing.bytes} bytes until it can be used`, landing.bytes <= MOST_LANDING_BYTES);
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
  const side: Side = { service, story: await seedStory(service), dashboard: [], item: [], landing: [] };
  sides.push(side);
  return side;
}

function loadDashboard(from: Browser, side: Side): Promise<LoadFigures> {
  return loadSignedIn(
    from,
    side,
    '/dashboard',
    () => document.querySelectorAll('main a[href^="/item/tgt-"]').length >= 4,
  );
}

/** An item with messages. */
function loadItem(from: Browser, side: Side): Promise<LoadFigures> {
  return loadSignedIn(from, side, `/item/${side.story.codes.keys}`, () => document.querySelector('main h2') !== null);
}

async function loadSignedIn(
  from: Browser,
  { service, story }: Side,
  path: string,
  isReady: () => boolean,
): Promise<LoadFigures> {
  const context = await from.newContext(PHONE);
  await signIn(context, service.url, story.session);
  const figures = await measureLoad(context, `${service.url}${path}`, isReady, { untilQuiet: true });
  await context.close();
  return figures;
}

async function loadOnce(from: Browser, url: string, isReady: () => boolean): Promise<LoadFigures> {
  const context = await from.newContext(PHONE);
  const figures = await measureLoad(context, url, isReady);
  await context.close();
  return figures;
}

/** Runs in the page: clicks the scanner's button until something on the page changes. */
function reactsToClicks(): boolean {
  const main = document.querySelector('main');
  const button = main?.querySelector('button');
  if (!main || !button) return false;
  const untouched: unknown = Reflect.get(window, 'untouched') ?? button.outerHTML;
  Reflect.set(window, 'untouched', untouched);
  if (untouched === button.outerHTML) button.click();
  return untouched !== button.outerHTML;
}

function summarize(loads: readonly LoadFigures[]) {
  const of = (figure: 'readyMs' | 'firstPaintMs' | 'requests' | 'bytes') => {
    const sorted = loads.map((load) => load[figure]).toSorted((a, b) => a - b);
    return Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
  };
  return { readyMs: of('readyMs'), firstPaintMs: of('firstPaintMs'), requests: of('requests'), bytes: of('bytes') };
}

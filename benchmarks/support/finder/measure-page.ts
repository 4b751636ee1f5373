import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { devices } from '@playwright/test';
import { APP_QUERY } from '#domain/tag-code/app-query.ts';
import { seedStory } from '#tests/e2e/support/story.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { judge } from '../figures/judge.ts';
import { median } from '../figures/median.ts';
import { type LoadFigures, launchBrowser, measureLoad } from '../slow-phone.ts';
import { serveStaticCopy } from '../static-copy.ts';

const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 10);
const MOST_OF_STATIC = 1.15;
const LEAST_OF_CLIENT_RENDERED = 4;

/**
 * Measures how soon a finder on a slow phone can use the contact methods after a scan. Contenders: the sticker's address,
 * its redirected form, the same document as a static file, and the app's own screen of the item, which loads React and
 * the client and then requests the item. Prints the figures, and sets the exit code where a target is missed.
 */
export async function measurePage(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reunite-finder-page-'));
  const service = await startServiceProcess({ dataDirectory: join(folder, 'data') });
  const browser = await launchBrowser();
  try {
    const { codes } = await seedStory(service);
    const copy = await serveStaticCopy(`${service.url}/${codes.keys}`, resolve('build/client'));
    const contenders = {
      'sticker’s address': `${service.url}/${codes.keys}`,
      'with a redirect': `${service.url}/qr?qr=${codes.keys}`,
      'static file': copy.url,
      'client-rendered': `${service.url}/item/${codes.keys}?${APP_QUERY}=1`,
    };
    const loads = new Map(Object.keys(contenders).map((name): [string, LoadFigures[]] => [name, []]));
    const entries = Object.entries(contenders);
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each is first in its turn: the browser is still busy with the end of the heavy screen when the next one begins.
      const first = round % entries.length;
      for (const [name, url] of [...entries.slice(first), ...entries.slice(0, first)]) {
        const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 390, height: 844 } });
        loads.get(name)?.push(await measureLoad(context, url, { begin: showsContactMethods }));
        await context.close();
      }
    }
    await copy.stop();

    const of = (name: keyof typeof contenders, figure: 'readyMs' | 'firstPaintMs') =>
      Math.round(median((loads.get(name) ?? []).map((load) => load[figure])));
    const names = Object.keys(contenders) as (keyof typeof contenders)[];
    console.table(
      Object.fromEntries(
        names.map((name) => [name, { readyMs: of(name, 'readyMs'), firstPaintMs: of(name, 'firstPaintMs') }]),
      ),
    );
    const ofStatic = of('sticker’s address', 'readyMs') / of('static file', 'readyMs');
    const sooner = of('client-rendered', 'readyMs') / of('sticker’s address', 'readyMs');
    judge(`usable after ${ofStatic.toFixed(2)} × a static file`, ofStatic <= MOST_OF_STATIC);
    judge(`${sooner.toFixed(1)} × sooner than client-rendered`, sooner >= LEAST_OF_CLIENT_RENDERED);
  } finally {
    await browser.close();
    await service.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs in the page. */
function showsContactMethods(): boolean {
  return [...document.querySelectorAll('button')].some((button) => button.textContent?.includes('WhatsApp') === true);
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContextOptions, chromium, devices } from '@playwright/test';
import { SCREENS } from '#tests/e2e/support/screens.ts';
import { signInAs } from '#tests/e2e/support/sign-in-as.ts';
import { startService } from '#tests/e2e/support/start-service.ts';
import { seedStory } from '#tests/e2e/support/story.ts';

// Takes a picture of every screen in every state, on a phone and a desktop, light and dark, and light ones also from
// right to left, into `screenshots/`.
const wanted = process.argv.slice(2);
const pictures = resolve(import.meta.dirname, '../screenshots');
const SHAPES: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
  desktop: { viewport: { width: 1280, height: 800 } },
};

const folder = await mkdtemp(join(tmpdir(), 'reunite-screenshots-'));
const service = await startService(folder);
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
let failed = 0;
try {
  const story = await seedStory(service);
  await mkdir(pictures, { recursive: true });
  for (const screen of SCREENS) {
    if (wanted.length > 0 && !wanted.some((part) => screen.name.includes(part))) continue;
    for (const [shape, options] of Object.entries(SHAPES)) {
      // A new page for each: a page whose color scheme changes while open is not repainted completely.
      for (const colorScheme of ['light', 'dark'] as const) {
        const picture = `${screen.name}-${shape}-${colorScheme}`;
        const context = await browser.newContext({
          ...options,
          colorScheme,
          baseURL: service.url,
          reducedMotion: 'reduce',
        });
        await signInAs(screen.as, context, service.url, story);
        const page = await context.newPage();
        try {
          await screen.show(page, story);
          // A dialog covers the window and not the whole page behind it.
          const fullPage = (await page.getByRole('dialog').count()) === 0;
          await page.screenshot({ path: join(pictures, `${picture}.png`), fullPage });
          console.log(picture);
          if (colorScheme === 'light') {
            await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
            await page.screenshot({ path: join(pictures, `${screen.name}-${shape}-rtl.png`), fullPage });
          }
        } catch (error) {
          failed += 1;
          console.error(`${picture} could not be taken: ${String(error).split('\n')[0]}`);
        }
        await context.close();
      }
    }
  }
} finally {
  await browser.close();
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
console.log(`The pictures are in ${pictures}.`);
if (failed > 0) process.exitCode = 1;

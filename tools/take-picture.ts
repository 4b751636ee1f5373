import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Browser, chromium, devices } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { signIn } from '#tests/e2e/support/sign-in.ts';
import { seedStory } from '#tests/e2e/support/story.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';

// Takes the picture for the README: three phones side by side, from a temporary server.
const picture = resolve(import.meta.dirname, '../docs/images/reunite.png');

const folder = await mkdtemp(join(tmpdir(), 'reunite-picture-'));
const service = await startServiceProcess({ dataDirectory: folder });
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const { session, codes } = await seedStory(service);
  const shots = [
    await phoneShot(browser, `/item/${codes.keys}`),
    await phoneShot(browser, '/dashboard', session),
    await phoneShot(browser, '/'),
  ];
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, deviceScaleFactor: 1.5 });
  const phones = shots.map((png) => `<img alt="" src="data:image/png;base64,${png.toString('base64')}">`).join('');
  await page.setContent(
    `<style>body{margin:0;display:flex;gap:32px;justify-content:center;padding:32px;background:transparent}
     img{width:350px;border-radius:28px;border:1px solid #0002;box-shadow:0 8px 32px #0003}</style>${phones}`,
  );
  await mkdir(dirname(picture), { recursive: true });
  await page.locator('body').screenshot({ path: picture, omitBackground: true });
  console.log(picture);
} finally {
  await browser.close();
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

async function phoneShot(from: Browser, path: string, session?: Session): Promise<Buffer> {
  const context = await from.newContext({
    ...devices['Pixel 7'],
    viewport: { width: 390, height: 780 },
    baseURL: service.url,
  });
  if (session !== undefined) await signIn(context, service.url, session);
  const page = await context.newPage();
  await page.goto(path, { waitUntil: 'networkidle' });
  const shot = await page.screenshot();
  await context.close();
  return shot;
}

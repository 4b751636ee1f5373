import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Browser, chromium, devices } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/secrets.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';

// Takes the README's picture of the product as it is: three phones side by side, from a server of its own.
const picture = resolve(import.meta.dirname, '../docs/images/reunite.png');
const code = 'tgt-TheKeysOfDana-01';
const things = [
  ['wallet', 'Brown wallet', 'Worn leather, a bus card inside'],
  ['backpack', 'School backpack', 'Blue, with a rocket on it'],
  ['keys', 'House keys', 'Three keys on a red ribbon'],
] as const;

const folder = await mkdtemp(join(tmpdir(), 'reunite-picture-'));
const service = await startServiceProcess({ dataDirectory: folder });
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const session = await tagThings();
  const shots = [
    await phoneShot(browser, `/item/${code}`),
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

async function tagThings(): Promise<string> {
  const { publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: folder }));
  const client = createClient(service.url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const email = 'dana@example.com';
  await client.auth.signUp({
    email,
    password: 'three keys on a ribbon',
    options: { data: { full_name: 'Dana Levi', phone: '+972501234567' } },
  });
  const { data, error } = await client.auth.verifyOtp({ email, token: '123456', type: 'signup' });
  if (error !== null || data.session === null) throw error ?? new Error('There is no session.');
  for (const [type, name, description] of things) {
    const tag = type === 'keys' ? code : `tgt-A-picture-of-${type}-1`;
    const row = { qr_id: tag, user_id: data.session.user.id, item_type: type, item_name: name, description };
    const inserted = await client.from('items').insert(row);
    if (inserted.error !== null) throw inserted.error;
  }
  return JSON.stringify(data.session);
}

async function phoneShot(from: Browser, path: string, session?: string): Promise<Buffer> {
  const context = await from.newContext({
    ...devices['Pixel 7'],
    viewport: { width: 390, height: 780 },
    baseURL: service.url,
  });
  if (session !== undefined) {
    await context.addCookies([{ name: 'reunite_signed_in', value: '1', url: service.url }]);
    await context.addInitScript((stored) => localStorage.setItem('reunite_supabase_auth', stored), session);
  }
  const page = await context.newPage();
  await page.goto(path, { waitUntil: 'networkidle' });
  const shot = await page.screenshot();
  await context.close();
  return shot;
}

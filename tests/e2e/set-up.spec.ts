import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { startUnset, type UnsetService } from '#tests/process/start-unset.ts';
import { brokenRules } from '#tests/support/broken-rules.ts';
import { startMailServer } from '#tests/support/mail-server.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { THROW_AWAY_PLACE } from '#tests/support/throw-away-place.ts';

const RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
} as const;

let service: UnsetService;
let folder: string;
let port: number;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;

test.beforeEach(async () => {
  mailServer = await startMailServer();
  folder = await mkdtemp(join(THROW_AWAY_PLACE, 'reunite-set-up-'));
  port = await ownPort();
  service = await startUnset({ dataDirectory: folder, port });
});

test.afterEach(async () => {
  await (await service.ready.catch(() => null))?.end('SIGTERM');
  service.child.kill('SIGKILL');
  await mailServer.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const isAccessible = async (page: Page) => {
  expect(await brokenRules(page, { ...RULES, values: [...RULES.values] })).toEqual([]);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `at ${width}`).toBeLessThanOrEqual(width);
  }
};

test('an operator sets the service up in the browser, and the page opens it', { tag: '@one-width' }, async ({
  page,
}) => {
  await page.goto(`http://localhost:${port}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reunite is being set up');
  await isAccessible(page);

  await page.goto(service.address ?? '');
  await expect(page.getByLabel('The address people open')).toHaveValue(`http://localhost:${port}`);
  await isAccessible(page);
  await page.getByLabel('Mail server').fill('127.0.0.1');
  await page.getByLabel('Encryption').selectOption('none');
  await page.getByLabel('Port').fill(String(mailServer.port));
  await page.getByLabel('User name').fill('olive');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByLabel('Sender').fill('noreply@lost.example.org');
  await page.getByLabel('Send a test email to').fill('me@lost.example.org');
  await page.getByRole('button', { name: 'Send test email' }).click();
  await expect(page.getByRole('alert')).toContainText('didn’t accept the user name and password');
  await expect(page.getByRole('alert')).toBeInViewport();
  await isAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill('pa ss');
  await page.getByRole('button', { name: 'Send test email' }).click();
  await expect(page.getByRole('status').last()).toContainText('Check the inbox of me@lost.example.org');
  // As a key does it in any field: the service is started, and no second email is sent.
  await page.getByLabel('Sender').press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reunite is starting');
  await isAccessible(page);
  await expect(page.getByText('Never lose your belongings again').first()).toBeVisible({ timeout: 180_000 });
  await expect(page).toHaveURL(`http://localhost:${port}/`);
  expect(mailServer.arrived).toHaveLength(1);
});

test('it is set up and opened without JavaScript', { tag: '@one-width' }, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(service.address ?? '');
  const mailless = page.getByLabel('This service sends no email');
  await expect(page.getByText('nothing is sent to it')).toBeHidden();
  await mailless.check();
  await expect(page.getByText('nothing is sent to it')).toBeVisible();
  await mailless.uncheck();
  await page.getByLabel('Mail server').fill('127.0.0.1');
  await page.getByLabel('Sender').fill('noreply@lost.example.org');
  await page.getByLabel('Port').fill('99999');
  await page.getByRole('button', { name: 'Start Reunite' }).click();
  await expect(page.getByRole('alert')).toHaveText('Something needs another look.');
  await expect(page.getByLabel('Port')).toHaveAccessibleDescription(/^Enter a number from 1 to 65535/);
  await expect(page.getByLabel('Port')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Port').fill('');
  await page.getByRole('button', { name: 'Start Reunite' }).click();
  await expect(page.getByText('Never lose your belongings again').first()).toBeVisible({ timeout: 180_000 });
  await context.close();
});

for (const [tag, direction, heading, button] of [
  ['he', 'rtl', /^הגדרת .*Reunite/, /^הפעלת .*Reunite/],
  ['ja', 'ltr', /^Reuniteの設定$/, /^Reuniteを開始$/],
] as const) {
  test(`it is in the language of the browser: ${tag}`, { tag: '@one-width' }, async ({ browser }) => {
    const context = await browser.newContext({ locale: tag });
    const page = await context.newPage();
    await page.goto(service.address ?? '');
    await expect(page.locator('html')).toHaveAttribute('lang', tag);
    await expect(page.locator('html')).toHaveAttribute('dir', direction);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await isAccessible(page);
    // What was wrong is said in it, too.
    await page.getByRole('button', { name: button }).click();
    await expect(page.locator('#host')).toHaveAccessibleDescription(/mail\.example\.org/);
    await isAccessible(page);
    await expect(page.locator('main')).not.toContainText(/\b(the|your|Enter)\b/);
    await page.goto(new URL('/', service.address ?? '').href);
    await expect(page.locator('html')).toHaveAttribute('lang', tag);
    await context.close();
    // It waits, and has no database to end.
    service.child.kill('SIGTERM');
  });
}

test('it tries the address that is typed', { tag: '@one-width' }, async ({ page }) => {
  /** Serves on a port of its own until the test ends. */
  const serve = async (respond: RequestListener) => {
    const server = createServer(respond).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
  };
  const type = async (url: string) => {
    await page.getByLabel('The address people open').fill(url);
    await page.getByLabel('The address people open').blur();
  };
  const tries = page.locator('#tries p:visible');
  const proxy = await serve(async ({ url }, response) => {
    const passed = await fetch(`http://localhost:${port}${url}`);
    response.setHeader('Access-Control-Allow-Origin', passed.headers.get('Access-Control-Allow-Origin') ?? '');
    response.end(await passed.text());
  });
  const other = await serve((_, response) => response.end('Hello'));

  await page.goto(service.address ?? '');
  await expect(tries).toHaveText(['Your browser reaches the service there.']);
  await type(proxy.url);
  await expect(tries).toHaveText([/live updates don’t get through/]);
  await type(other.url);
  await expect(tries).toHaveText([/not this service/]);
  await type('http://nowhere.invalid');
  await expect(tries).toHaveText([/Your browser reaches nothing there/, /Without https/]);
  await isAccessible(page);
  await type('nonsense');
  await expect(tries).toHaveCount(0);
  for (const server of [proxy, other]) server.close();
  service.child.kill('SIGTERM');
});

import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

test.use({ refusals: [400, 409, 502, 503, 504, 'no connection'] });

/** Milliseconds within which a tap must have an effect without a connection. */
const AT_ONCE = 5_000;

/** An owner on the dashboard, with one item. */
async function openDashboard(page: Page, newOwner: (page: Page) => Promise<{ code: string }>): Promise<string> {
  const { code } = await newOwner(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  await otherScreensLoaded(page);
  return code;
}

/** Resolves once the page has fetched the code of the other screens by itself, and what that imports. */
async function otherScreensLoaded(page: Page): Promise<void> {
  const modules = await page.evaluate(() => {
    const { routes }: { routes: Record<string, { module: string }> } = Reflect.get(window, '__reactRouterManifest');
    return Object.values(routes).map(({ module }) => module);
  });
  await page.waitForFunction((wanted) => {
    const fetched = new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
    return wanted.every((module) => fetched.has(module));
  }, modules);
  await page.evaluate((wanted) => Promise.all(wanted.map((module) => import(module))), modules);
}

test('a short gateway failure is retried; during a longer one the screen says so and recovers by itself', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await openDashboard(page, newOwner);
  const statuses = [502, 503, 504];
  let asked = 0;
  await page.route('**/rest/v1/items?**', (route) => {
    const status = statuses[asked];
    asked += 1;
    return status === undefined ? route.continue() : route.fulfill({ status });
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  expect(asked).toBeGreaterThan(statuses.length);
  await page.unroute('**/rest/v1/items?**');

  await page.route('**/rest/v1/**', (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Failed to load your items');
  await page.unroute('**/rest/v1/**');
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
});

test('offline every screen says so, a tap responds at once, and the request is sent once online', {
  tag: '@one-width',
}, async ({ page, context, newOwner }) => {
  const code = await openDashboard(page, newOwner);
  await context.setOffline(true);
  await expect(page.getByText('You’re offline', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: /My Tagged Item/ }).click();
  await expect(page).toHaveURL(`/item/${code}`, { timeout: AT_ONCE });
  await expect(page.getByRole('alert')).toContainText('We couldn’t load this item', { timeout: AT_ONCE });
  await expect(page.getByRole('alert')).toContainText('We’ll try again as soon as you’re connected.');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
  await expect(page.getByText('You’re offline', { exact: true })).toBeHidden();
});

test('an item tagged offline is saved once online, and only once if the first response is lost', {
  tag: ['@one-width', '@rest'],
}, async ({ page, context, newOwner }) => {
  await openDashboard(page, newOwner);
  await page.goto('/item/new-item');
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  await page.getByLabel('Description (optional)').fill('Green, from the museum');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByText('We’ll try again as soon as you’re connected.')).toBeVisible({ timeout: AT_ONCE });
  await expect(page.getByRole('radio', { name: 'Umbrella' })).toBeChecked();
  await expect(page.getByLabel('Description (optional)')).toHaveValue('Green, from the museum');
  // It would not be saved.
  await expect(page.getByLabel('Description (optional)')).toBeDisabled();

  let attempts = 0;
  await page.route('**/rest/v1/items?**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    attempts += 1;
    if (attempts > 1) return route.continue();
    // The request arrives, but the gateway times out before the response.
    await route.fetch();
    return route.fulfill({ status: 504 });
  });
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
  expect(attempts).toBe(2);
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByRole('heading', { name: 'Umbrella' })).toHaveCount(1);
});

test.describe('the worker', { tag: '@one-width' }, () => {
  test.use({ serviceWorkers: 'allow' });

  test('a reload offline shows the offline page, which is replaced by the screen once online', async ({
    page,
    context,
    newOwner,
  }) => {
    await openDashboard(page, newOwner);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // Only document requests go through the worker; this page is loaded with the worker active.
    await page.reload();
    await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible();
    await expect(page).toHaveTitle('No connection – Reunite');
    await expect(page).toHaveURL(/\/dashboard$/);
    // Its styles are inlined; a policy that blocked them would leave the browser's defaults.
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCSS('border-radius', '14px');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible();
    expect(await page.evaluate(() => caches.keys())).toEqual([]);

    await context.setOffline(false);
    await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  });
});

test('a screen whose code never loads leaves the user on the current one until it does', {
  tag: ['@one-width', '@rest'],
}, async ({ page, context, newOwner }) => {
  await openDashboard(page, newOwner);
  await page.route(/\/assets\/privacy/, (route) => route.abort('internetdisconnected'));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('dialog', { name: 'We couldn’t load this screen' })).toBeVisible({ timeout: AT_ONCE });
  await expect(page).toHaveURL(/\/dashboard/);
  await page.unroute(/\/assets\/privacy/);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: /privacy|private/i })).toBeVisible();
});

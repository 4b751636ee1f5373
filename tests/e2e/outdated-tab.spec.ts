import type { Page } from '@playwright/test';
import { newPhone } from './support/register-owner.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ refusals: [404] });

/**
 * From now on the page is one of an older release: each file that it has not loaded is gone. Until a document is requested,
 * if `until` is so. Returns the documents that were requested since.
 */
async function update(page: Page, until: 'document' | 'never' = 'document'): Promise<string[]> {
  const loaded = new Set(
    await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)),
  );
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  await page.route('**/assets/**', (route) => {
    const isNew = until === 'document' && documents.length > 0;
    return isNew || loaded.has(new URL(route.request().url()).pathname)
      ? route.continue()
      : route.fulfill({ status: 404, body: 'Not found' });
  });
  return documents;
}

const noWordsOfConnection = (page: Page) => expect(page.getByText(/connection/i)).toHaveCount(0);

test('a screen whose code is gone after an update is opened from a new document [K77]', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  const documents = await update(page);
  await page.getByRole('link', { name: 'Stickers', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
  expect(documents).toEqual(['/stickers']);
});

test('parts of a screen that are gone after an update are loaded with a new document [K77]', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { code } = await newOwner(page);

  await page.goto(`/item/${code}`);
  await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
  const ofItem = await update(page);
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  expect(ofItem.length).toBeLessThanOrEqual(1);
  await page.unrouteAll();

  // The scanner, and in it the decoder.
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  const ofDashboard = await update(page);
  await page.getByRole('button', { name: 'Scan QR to Tag New Item' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect.poll(() => ofDashboard.length).toBeLessThanOrEqual(1);
  await page.unrouteAll();

  // Letters of another script.
  await page.goto('/stickers');
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
  const ofStickers = await update(page);
  await page.getByLabel('A line of your own (optional)').fill('Ключ');
  await expect.poll(() => ofStickers).toEqual(['/stickers']);
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeEnabled();
  await noWordsOfConnection(page);
});

test('a page that is only open stays, although what loads in the background is gone [K77]', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  let asked = 0;
  await page.route('**/assets/auth-client-*.js', (route) => {
    asked += 1;
    return route.fulfill({ status: 404, body: 'Not found' });
  });
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.goto('/dashboard');
  await expect.poll(() => asked).toBeGreaterThan(1);
  await page.waitForLoadState('networkidle');
  expect(documents).toBe(1);
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
});

test('the phone number of a registration is read although the page is from before an update', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  const code = newTagCode();
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.route(/\/assets\/(phone-countries|country-picker)/, (route) =>
    documents === 1 ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.goto(`/auth/${code}`);
  await expect(page.getByRole('combobox', { name: 'Country: Israel +972' })).toBeVisible();
  await page.getByLabel('Full name').fill('Dana Levi');
  await page.getByLabel('Email').fill(`${code.slice(4).toLowerCase()}@example.com`);
  await page.getByLabel('Phone number').fill(newPhone());
  await page.getByLabel('Password', { exact: true }).fill('three keys on a ribbon');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
});

test('a file that stays gone loads the document once, and nothing is said of the connection [K77]', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'My Tagged Item' })).toBeVisible();
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  await page.route('**/assets/stickers-screen-*', (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.getByRole('link', { name: 'Stickers', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Something is missing on our side. Please try again later.');
  await noWordsOfConnection(page);
  expect(documents).toEqual(['/stickers']);
});

import type { Page } from '@playwright/test';
import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

test.use({ refusals: [400, 404] });

const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('reunite_qr_id'));

test('the tag code of a URL is read from its possible places in order, and stored in the tab', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  const [first, second, third, fourth] = [newTagCode(), newTagCode(), newTagCode(), newTagCode()];
  for (const [address, code] of [
    [`/some/${first}/where?qr_id=${second}`, first],
    [`/auth/${second}?qr_id=${third}`, second],
    [`/qr?qr=${first}&code=${second}&qr_id=${third}`, third],
    [`/qr?qr=${first}&code=${fourth}`, fourth],
    [`/qr?qr=${first}`, first],
    [`/no/screen?qr=${second}`, second],
    [`/${third}`, third],
  ] as const) {
    await page.goto(address);
    await expect(page).toHaveURL(new RegExp(`/auth/${code}`));
    await expect.poll(() => stored(page)).toBe(code);
  }
  // Where the address names none, the one in this tab counts.
  await page.goto('/qr');
  await expect(page).toHaveURL(`/auth/${third}`);
});

test('during the look-up the screen says “Redirecting...”', { tag: '@one-width' }, async ({ page }) => {
  const code = newTagCode();
  await page.goto('/');
  await page.evaluate((value) => sessionStorage.setItem('reunite_qr_id', value), code);
  let response = () => {};
  const held = new Promise<void>((resolve) => {
    response = resolve;
  });
  await page.route('**/rpc/find_item', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/qr');
  await expect(page.getByRole('status')).toHaveText('Redirecting...');
  await expect(page.getByRole('status').locator('svg')).toBeVisible();
  response();
  await expect(page).toHaveURL(`/auth/${code}`);
});

test('a signed-in user is sent to the item, as is a visitor if there is one', async ({
  page,
  story,
  context,
  service,
  another,
}) => {
  const visitor = await another();
  await visitor.goto(`/qr?qr=${story.codes.keys}`);
  await expect(visitor).toHaveURL(`/item/${story.codes.keys}`);

  await signIn(context, service.url, story.newcomer);
  const code = newTagCode();
  await page.goto(`/${code}`);
  await expect(page).toHaveURL(`/item/${code}`);
  await expect(page.getByRole('heading', { name: 'What are you tagging?' })).toBeVisible();
});

test('a URL without a tag code ends on a 404 page that says so', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page).toHaveURL('/not-found');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  expect((await page.request.get('/not-found')).status()).toBe(404);
  expect((await page.request.get('/no/such/page')).status()).toBe(404);
  await page.goto('/qr');
  await expect(page).toHaveURL('/not-found');
  const malformed = await page.goto('/item/%E0%A4%A');
  expect(malformed?.status()).toBe(400);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { photos } from '#domain/words/compiled/en/photos.ts';
import { signIn } from './support/sign-in.ts';
import { expect, type FreshOwner, test } from './support/test.ts';

/**
 * A photo as from a phone's camera: held sideways, and larger than the stored size. Red is above blue once it is
 * upright.
 */
async function aPhoto(): Promise<Buffer> {
  const half = (background: string) =>
    sharp({ create: { width: 1000, height: 1500, channels: 3, background } })
      .png()
      .toBuffer();
  const [red, blue] = await Promise.all([half('#f00'), half('#00f')]);
  return sharp({ create: { width: 2000, height: 1500, channels: 3, background: '#fff' } })
    .composite([
      { input: red, left: 0, top: 0 },
      { input: blue, left: 1000, top: 0 },
    ])
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** Opens the page of an item that has a name and no photo. */
async function openUnpictured(page: Page, { client, code }: FreshOwner): Promise<void> {
  await client.from('items').update({ item_name: 'Wallet' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
}

async function choose(page: Page, buffer: Buffer, name = 'photo.jpg', mimeType = 'image/jpeg'): Promise<void> {
  await page.locator('input[data-picture]').first().setInputFiles({ name, mimeType, buffer });
}

/** Width and height of a picture as the browser decoded it. */
const sizeOf = (page: Page, name: string) =>
  page.getByRole('img', { name }).evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);

test('an owner adds a photo of an item: the finder, the dashboard and the owner see it; then removes it', async ({
  page,
  context,
  another,
  service,
  story,
}) => {
  await signIn(context, service.url, story.session);
  await page.goto(`/item/${story.codes.keys}`);
  const alt = photos.item.of('House keys');
  await expect(page.getByRole('button', { name: photos.item.add })).toBeVisible();

  await choose(page, await aPhoto());
  await expect(page.getByText(photos.item.saved)).toBeVisible();
  await expect.poll(() => sizeOf(page, alt)).toEqual([960, 1280]);
  await page.getByRole('button', { name: 'Edit item' }).click();
  await expect(page.getByRole('button', { name: photos.item.replace })).toBeVisible();

  const finder = await another();
  await finder.goto(`/item/${story.codes.keys}`);
  await expect.poll(() => sizeOf(finder, alt)).toEqual([240, 320]);
  const box = await finder.getByRole('img', { name: alt }).boundingBox();
  // Up to 96 pixels, by the width of the screen.
  expect([box?.width, box?.height].map((side) => Math.round(side ?? 0))).toEqual([96, 96]);

  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'House keys' })).toBeVisible();
  const small = page.getByRole('link', { name: /House keys/ }).locator('img');
  await expect.poll(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240);

  await page.goto(`/item/${story.codes.keys}`);
  await page.getByRole('button', { name: 'Edit item' }).click();
  await page.getByRole('button', { name: photos.item.remove }).click();
  await expect(page.getByText(photos.item.removed)).toBeVisible();
  await expect(page.getByRole('img', { name: alt })).toHaveCount(0);
  await finder.reload();
  await expect(finder.getByRole('heading', { name: 'House keys' })).toBeVisible();
  await expect(finder.getByRole('img', { name: alt })).toHaveCount(0);
});

test('an upload shows its progress and can be canceled', { tag: ['@one-width', '@rest'] }, async ({
  page,
  context,
  service,
  story,
}) => {
  await signIn(context, service.url, story.session);
  await page.goto(`/item/${story.codes.wallet}`);
  // It does not get through until it is called off.
  await page.route('**/storage/v1/object/item-photos/**', () => undefined);
  await choose(page, await aPhoto());
  await expect(page.getByRole('progressbar', { name: photos.progress })).toBeVisible();
  await page.getByRole('button', { name: photos.cancel }).click();
  await expect(page.getByRole('button', { name: photos.item.add })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('without a connection a photo is kept, and saved when it is tried again', {
  tag: ['@one-width', '@rest'],
}, async ({ browser, contextOptions, service, newOwner }) => {
  // A separate context, because the browser logs the broken connection.
  const context = await browser.newContext({ ...contextOptions, baseURL: service.url });
  const page = await context.newPage();
  await openUnpictured(page, await newOwner(page));
  await page.route('**/storage/v1/object/item-photos/**', (route) => route.abort(), { times: 1 });
  await choose(page, await aPhoto());
  await expect(page.getByRole('alert')).toContainText(photos.problems.offline);
  await page.getByRole('button', { name: photos.tryAgain }).click();
  await expect(page.getByText(photos.item.saved)).toBeVisible();
  await context.close();
});

test('an upload that stalls is given up, and can be tried again', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner(page);
  await page.clock.install();
  await openUnpictured(page, owner);
  await page.route('**/storage/v1/object/item-photos/**', () => undefined, { times: 1 });
  const sent = page.waitForRequest('**/storage/v1/object/item-photos/**');
  await choose(page, await aPhoto());
  await sent;
  const given = page.waitForEvent('requestfailed');
  await page.clock.fastForward(61_000);
  await given;
  await expect(page.getByRole('alert')).toContainText(photos.problems.offline);
  await page.getByRole('button', { name: photos.tryAgain }).click();
  await expect(page.getByText(photos.item.saved)).toBeVisible();
});

test('a photo that could not be saved says so, and is saved on retry', {
  tag: ['@one-width', '@rest'],
}, async ({ browser, contextOptions, service, newOwner }) => {
  // A separate context, because the browser logs the broken connection.
  const context = await browser.newContext({ ...contextOptions, baseURL: service.url });
  const page = await context.newPage();
  await openUnpictured(page, await newOwner(page));
  let reachable = false;
  await page.route('**/rest/v1/items?*', (route) =>
    route.request().method() === 'PATCH' && !reachable ? route.abort() : route.continue(),
  );
  await page.clock.install();
  // The clock is stopped after a failed attempt, so that only the button can trigger the next one.
  const fail = async (begin: () => Promise<void>) => {
    const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH');
    await begin();
    await failed;
    // Again where the moment has gone by.
    await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))).toPass();
    await expect(page.getByText(photos.waiting)).toBeVisible();
  };
  await fail(async () => choose(page, await aPhoto()));
  await expect(page.getByText(photos.saving)).toBeVisible();
  reachable = true;
  await page.getByRole('button', { name: photos.tryAgain }).click();
  await expect(page.getByText(photos.item.saved)).toBeVisible();
  await expect(page.getByText(photos.waiting)).toHaveCount(0);
  await page.clock.resume();

  reachable = false;
  await page.getByRole('button', { name: 'Edit item' }).click();
  await fail(() => page.getByRole('button', { name: photos.item.remove }).click());
  reachable = true;
  await page.getByRole('button', { name: photos.tryAgain }).click();
  await expect(page.getByText(photos.item.removed)).toBeVisible();
  await context.close();
});

test('a file that is not a picture is refused before it is sent', { tag: ['@one-width', '@rest'] }, async ({
  page,
  context,
  service,
  story,
}) => {
  await signIn(context, service.url, story.session);
  await page.goto(`/item/${story.codes.backpack}`);
  let sent = 0;
  await page.route('**/storage/v1/object/item-photos/**', (route) => {
    sent += 1;
    return route.continue();
  });
  await choose(page, Buffer.from('%PDF-1.7'), 'letter.pdf', 'application/pdf');
  await expect(page.getByRole('alert')).toContainText(photos.problems.unreadable);
  expect(sent).toBe(0);
});

test.describe('a picture that is saved and cannot be shown yet', () => {
  test.use({ refusals: [500] });

  test('stays on the server', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
    const { client } = await newOwner(page);
    await page.goto('/profile');
    await expect(page.getByText(photos.avatar.hint)).toBeVisible();
    await page.route('**/storage/v1/object/sign/**', (route) => route.fulfill({ status: 500, json: {} }));
    await choose(page, await aPhoto());
    await expect(page.getByText(photos.avatar.saved)).toBeVisible();
    await expect(page.getByText(photos.problems.failed)).toHaveCount(0);
    const { data } = await client.from('profiles').select('avatar').single<{ avatar: string }>();
    expect((await client.storage.from('avatars').download(data?.avatar ?? '')).error).toBeNull();
    // And is shown by itself as soon as it can be.
    await page.unroute('**/storage/v1/object/sign/**');
    await expect(page.getByRole('img', { name: photos.avatar.alt })).toBeVisible();
  });
});

test('a profile picture that is canceled while it is being saved is not set', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client } = await newOwner(page);
  await page.goto('/profile');
  await expect(page.getByText(photos.avatar.hint)).toBeVisible();
  // Its response never arrives.
  await page.route('**/rest/v1/profiles?**', (route) =>
    route.request().method() === 'PATCH' ? undefined : route.continue(),
  );
  await choose(page, await aPhoto());
  await expect(page.getByText(photos.saving)).toBeVisible();
  await page.getByRole('button', { name: photos.cancel }).click();
  await expect(page.getByRole('button', { name: photos.avatar.add })).toBeVisible();
  await expect(page.getByRole('img', { name: photos.avatar.alt })).toHaveCount(0);
  await expect(page.getByText(photos.avatar.saved)).toHaveCount(0);
  const { data } = await client.from('profiles').select('avatar').single<{ avatar: string | null }>();
  expect(data?.avatar).toBeNull();
});

test('a user adds, replaces, and removes a profile picture', { tag: '@rest' }, async ({
  page,
  context,
  service,
  story,
}) => {
  await signIn(context, service.url, story.newcomer);
  await page.goto('/profile');
  await expect(page.getByText(photos.avatar.hint)).toBeVisible();
  await choose(page, await aPhoto());
  await expect(page.getByText(photos.avatar.saved)).toBeVisible();
  await expect.poll(() => sizeOf(page, photos.avatar.alt)).toEqual([240, 320]);
  await page.reload();
  await expect.poll(() => sizeOf(page, photos.avatar.alt)).toEqual([240, 320]);
  const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer();
  await choose(page, wide, 'other.png', 'image/png');
  await expect.poll(() => sizeOf(page, photos.avatar.alt)).toEqual([320, 107]);
  await page.getByRole('button', { name: photos.avatar.remove }).click();
  await expect(page.getByText(photos.avatar.removed)).toBeVisible();
  await expect(page.getByRole('img', { name: photos.avatar.alt })).toHaveCount(0);
});

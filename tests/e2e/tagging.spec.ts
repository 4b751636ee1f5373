import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

test('an owner without a sticker prints one, and a scanner reads it', { tag: ['@one-width', '@rest'] }, async ({
  page,
  another,
  newOwner,
}) => {
  await newOwner(page);
  await page.addInitScript(() => {
    window.print = () => Object.assign(window, { isPrinted: true });
    // As on plain HTTP.
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await page.clock.install();
  await page.goto('/item/new-item');
  await expect(page.getByText('No sticker? You can print one next.')).toBeVisible();
  await page.getByRole('radio', { name: 'Glasses' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied to clipboard')).toBeVisible();
  await page.getByRole('button', { name: 'Print a sticker' }).click();
  const sticker = page.getByRole('img', { name: /^Sticker with the QR code tgt-/ });
  await expect(sticker).toBeVisible();
  // A QR code is dark on light, whatever the system's colors.
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  const picture = { name: 'sticker.png', mimeType: 'image/png', buffer: await sticker.screenshot() };
  await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
  expect(await page.evaluate(() => Reflect.get(window, 'isPrinted'))).toBe(true);

  // The success stays while the user acts on it, and only the sticker is printed.
  await page.clock.runFor(10_000);
  await page.emulateMedia({ media: 'print' });
  await expect(sticker).toBeVisible();
  await expect(page.getByRole('heading', { name: 'A sticker to print' })).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Item Tagged!', includeHidden: true })).toBeHidden();

  const finder = await another();
  await finder.goto('/');
  await finder.getByRole('button', { name: 'I found something' }).click();
  await finder.getByRole('dialog').locator('input[type=file]').setInputFiles(picture);
  await expect(finder.getByRole('heading', { name: 'Glasses' })).toBeVisible();
});

test('the success screen after tagging closes after 3 s, unless the user interacts with it', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  await newOwner(page);
  await page.clock.install();
  const success = page.getByRole('heading', { name: 'Item Tagged!' });
  const tagAnother = async () => {
    await page.goto(`/item/${newTagCode()}`);
    await page.getByRole('radio', { name: 'Pen' }).check();
    // From here on only the test lets time pass. Again where the moment has gone by.
    await expect(async () => page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))).toPass();
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(success).toBeVisible();
  };

  await tagAnother();
  await expect(page.getByText('Taking you to your items in 3 s')).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page.getByText('Taking you to your items in 2 s')).toBeVisible();
  await page.clock.runFor(2_100);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.clock.resume();

  const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the button', () => page.getByRole('button', { name: 'Stay' }).click()],
    ['a touch', () => success.tap()],
    ['a key', () => page.keyboard.press('ArrowDown')],
    ['the focus', () => page.getByRole('link', { name: 'Return to Dashboard' }).focus()],
    ['scrolling', () => page.evaluate(() => void dispatchEvent(new WheelEvent('wheel')))],
    ['printing', () => page.evaluate(() => void dispatchEvent(new Event('beforeprint')))],
  ];
  for (const [name, act] of acts) {
    await tagAnother();
    await act();
    await expect(page.getByRole('button', { name: 'Stay' }), name).toBeHidden();
    await page.clock.runFor(20_000);
    await expect(success, name).toBeVisible();
    await page.clock.resume();
  }
});

test.describe('tagging', () => {
  test.use({ refusals: [409, 500, 502] });

  test('the catalogue in rows of 8, 8, and 4, and a custom item, by keyboard alone', async ({
    page,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.newcomer);
    const code = newTagCode();
    await page.goto(`/item/${code}`);
    await expect(page.getByRole('radio')).toHaveCount(21);
    const rows = await page.getByRole('group', { name: 'Item type' }).locator('> div').all();
    expect(await Promise.all(rows.map((row) => row.getByRole('radio').count()))).toEqual([8, 8, 4]);
    await page.getByRole('radio', { name: 'Custom Item' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Please select an item type or enter a custom item name')).toBeVisible();
    const name = page.getByLabel('Item name');
    await name.fill('Cello case');
    await expect(name).toHaveValue('Cello case');
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route('**/rest/v1/items?**', async (route) => {
      await held;
      await route.continue();
    });
    await expect(name).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Tagging...' })).toBeDisabled();
    respond();
    await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
    await expect(page.getByText('Item tagged successfully!')).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem('reunite_qr_id'))).toBeNull();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('heading', { name: 'Cello case' })).toBeVisible();
  });

  test('a lost response creates no second item and no refusal', { tag: '@one-width' }, async ({
    page,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.newcomer);
    await page.goto(`/item/${newTagCode()}`);
    let isCut = true;
    await page.route('**/rest/v1/items?**', async (route) => {
      if (!isCut || route.request().method() !== 'POST') return route.continue();
      // The request arrives each time, but its response never does.
      await route.fetch();
      return route.fulfill({ status: 502, body: '' });
    });
    await page.getByRole('radio', { name: 'Umbrella' }).check();
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByText('Not saved yet. We’re trying again...')).toBeVisible();
    isCut = false;
    // It leads there by itself.
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('heading', { name: 'Umbrella' })).toHaveCount(1);
  });

  test('a code that another account claimed first, and a service that fails', { tag: ['@one-width', '@rest'] }, async ({
    page,
    another,
    service,
    story,
  }) => {
    await signIn(page.context(), service.url, story.newcomer);
    const code = newTagCode();
    await page.goto(`/item/${code}`);
    await page.getByRole('radio', { name: 'Pen' }).check();
    await page.route('**/rest/v1/items?**', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to tag item. Please try again.');
    await page.unroute('**/rest/v1/items?**');

    const faster = await another();
    await signIn(faster.context(), service.url, story.session);
    await faster.goto(`/item/${code}`);
    await faster.getByRole('radio', { name: 'Bike' }).check();
    await faster.getByRole('button', { name: 'Tag Item' }).click();
    await expect(faster.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();

    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByText('Failed to add item')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText('This QR code is already tagged to an item');
  });
});

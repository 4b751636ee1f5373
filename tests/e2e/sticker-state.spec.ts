import type { Page } from '@playwright/test';
import { expect, type FreshOwner, newTagCode, test } from './support/test.ts';

const WORKS = 'It works. This is what a finder sees.';

const card = (page: Page, name: string) => page.getByRole('link').filter({ hasText: name });
const needed = (page: Page) => page.getByRole('region', { name: 'Needs a sticker' });

test('an item without a sticker says so, until the printed one is scanned [K92]', async ({ page, newOwner }) => {
  await newOwner(page);
  await page.addInitScript(() => {
    window.print = () => {};
  });
  await page.goto('/item/new-item');
  await page.getByRole('radio', { name: 'Glasses' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
  await expect(page.getByText('Now it needs a sticker.')).toBeVisible();
  await expect(page.getByText(/Taking you to your items/)).toBeHidden();
  await expect(page.getByRole('main').getByRole('button').first()).toHaveText('Print a sticker');

  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(card(page, 'Glasses')).toContainText('Needs a sticker');
  // This one was scanned at registration.
  await expect(card(page, 'My Tagged Item')).not.toContainText('Needs a sticker');

  await card(page, 'Glasses').click();
  await expect(page).toHaveURL(/\/item\/tgt-/);
  const code = new URL(page.url()).pathname.slice('/item/'.length);
  await needed(page).getByRole('button', { name: 'Print a sticker' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByRole('dialog', { name: 'A sticker to print' }).getByRole('button', { name: 'Close' }).click();
  // Printed is not yet scanned.
  await page.reload();
  await expect(needed(page)).toBeVisible();

  await page.goto(`/${code}`);
  await expect(page.getByRole('heading', { name: WORKS })).toBeVisible();
  await expect(page).toHaveURL(`/item/${code}`);
  await expect(page.getByText('It belongs to Dana.')).toBeVisible();
  await page.getByRole('button', { name: 'Go to your item' }).click();
  await expect(page.getByRole('heading', { name: 'Glasses' })).toBeVisible();
  await expect(needed(page)).toBeHidden();
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(card(page, 'Glasses')).toBeVisible();
  await expect(page.getByText('Needs a sticker')).toBeHidden();

  await page.goto(`/${code}`);
  await expect(page.getByRole('heading', { name: 'Glasses' })).toBeVisible();
  await expect(page.getByRole('heading', { name: WORKS })).toBeHidden();
});

/** An item whose sticker nobody has scanned. Returns its code. */
async function addShedKeys({ client, session }: FreshOwner): Promise<string> {
  const code = newTagCode();
  await client
    .from('items')
    .insert({ qr_id: code, user_id: session.user.id, item_type: 'keys', item_name: 'Shed keys' })
    .throwOnError();
  return code;
}

test('an item that was tagged from its sticker needs none, and one that a visitor scanned needs none anymore', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const code = await addShedKeys(await newOwner(page));
  await page.goto(`/${newTagCode()}`);
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(card(page, 'Umbrella')).not.toContainText('Needs a sticker');
  await expect(card(page, 'Shed keys')).toContainText('Needs a sticker');

  const finder = await another();
  await finder.goto(`/${code}`);
  await expect(finder.getByRole('heading', { name: 'Shed keys' })).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(card(page, 'Shed keys')).not.toContainText('Needs a sticker', { timeout: 1_000 });
  }).toPass();
});

test('an owner scans the printed sticker in the app', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
  const code = await addShedKeys(await newOwner(page));
  await page.goto(`/item/${code}`);
  await needed(page).getByRole('button', { name: 'Print a sticker' }).click();
  const sticker = page.getByRole('img', { name: /^Sticker with the QR code tgt-/ });
  const picture = { name: 'sticker.png', mimeType: 'image/png', buffer: await sticker.screenshot() };
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Scan QR to Tag New Item', exact: true }).click();
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(picture);
  await expect(page.getByRole('heading', { name: WORKS })).toBeVisible();
  await page.getByRole('button', { name: 'Go to your item' }).click();
  await expect(page.getByRole('heading', { name: 'Shed keys' })).toBeVisible();
  await expect(needed(page)).toBeHidden();
});

test('above eight items, those that need a sticker can be chosen', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const { client, session } = await newOwner(page);
  const more = Array.from({ length: 9 }, (_, place) => {
    return { qr_id: newTagCode(), user_id: session.user.id, item_type: 'custom', item_name: `Box ${place}` };
  });
  await client.from('items').insert(more).throwOnError();
  for (const { qr_id } of more.slice(2)) await client.rpc('note_scan', { qr_id_param: qr_id }).throwOnError();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Needs a sticker (2)' }).click();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/Box/, /Box/]);
});

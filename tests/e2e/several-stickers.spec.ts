import type { Page } from '@playwright/test';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { openRow } from './support/open-row.ts';
import { expect, newTagCode, test } from './support/test.ts';

// A sticker that is on another item is refused with 409.
test.use({ refusals: [409] });

/** Types a sticker's code into the open scanner. */
async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Enter the code' }).click();
  await page.getByLabel('Code on the sticker').fill(code);
  await page.keyboard.press('Enter');
}

test('an owner adds a sticker to an item, replaces the worn one, and finders reach the item by the new one', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const { client, session } = await newOwner(page);
  const [worn, fresh, elsewhere] = [newTagCode(), newTagCode(), newTagCode()];
  for (const [qr_id, item_type, item_name] of [
    [worn, 'suitcase', 'Blue suitcase'],
    [elsewhere, 'umbrella', 'Red umbrella'],
  ]) {
    await client.from('items').insert({ qr_id, user_id: session.user.id, item_type, item_name }).throwOnError();
  }
  await page.goto(`/item/${worn}`);
  const stickers = page.getByRole('region', { name: 'Stickers' });
  await openRow(page, 'Stickers');
  await expect(stickers.getByRole('listitem')).toHaveCount(1);
  await expect(stickers.getByRole('button', { name: /^Remove/ })).toBeHidden();

  await stickers.getByRole('button', { name: 'Add a sticker' }).click();
  await typeCode(page, elsewhere);
  await expect(stickers.getByRole('alert')).toContainText('This sticker is on Red umbrella.');
  await stickers.getByRole('button', { name: 'Add a sticker' }).click();
  await typeCode(page, fresh);
  await expect(stickers.getByRole('listitem')).toHaveCount(2);
  await expect(stickers.getByRole('alert')).toBeHidden();

  // The address of the new sticker is the item's for its owner too.
  await page.goto(`/item/${fresh}`);
  await expect(page).toHaveURL(`/item/${worn}`);
  await openRow(page, 'Stickers');
  await stickers.getByRole('button', { name: `Remove ${typedCodeOf(worn)}` }).click();
  await page.getByRole('button', { name: 'Remove sticker' }).click();
  await expect(page).toHaveURL(`/item/${fresh}`);
  await expect(stickers.getByText(typedCodeOf(fresh))).toBeVisible();
  await expect(stickers.getByRole('listitem')).toHaveCount(1);

  const finder = await another();
  await finder.goto(`/${fresh}`);
  await expect(finder.getByRole('heading', { name: 'Blue suitcase' })).toBeVisible();
});

test('an owner puts scanned stickers on an item, one after the other', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const { client, code: own } = await newOwner(page);
  const [first, second] = [newTagCode(), newTagCode()];
  await page.goto(`/${first}`);
  await page.getByRole('radio', { name: 'An item you already have' }).check();
  await page.getByRole('button', { name: 'My Tagged Item' }).click();
  // The screen that has it leaves by itself after three seconds.
  await page.getByRole('button', { name: 'Scan another' }).click();
  await typeCode(page, second);
  await expect(page).toHaveURL(`/item/${second}`);
  await page.getByRole('radio', { name: 'An item you already have' }).check();
  await page.getByRole('button', { name: 'My Tagged Item' }).click();
  await expect(page.getByRole('heading', { name: 'Sticker added' })).toBeVisible();
  const { data } = await client
    .from('qr_codes')
    .select('qr_id')
    .eq('stands_for', own)
    .order('claimed_at')
    .throwOnError();
  expect(data).toEqual([{ qr_id: first }, { qr_id: second }]);
});

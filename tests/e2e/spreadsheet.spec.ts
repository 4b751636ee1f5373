import { readFile } from 'node:fs/promises';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { chooseSheet } from './support/account-screens.ts';
import { expect, test } from './support/test.ts';

test('an owner downloads items, changes and adds some in the file, and sees what changes before it is saved', {
  tag: '@one-width',
}, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Many items? Use a spreadsheet' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('reunite-items.csv');
  const written = await readFile(await download.path(), 'utf8');
  expect(written.split('\r\n')[1]).toMatch(
    new RegExp(`^${typedCodeOf(code)},My Tagged Item,Item,Item tagged during registration,,,http\\S+/${code}$`),
  );

  // Choosing the file unchanged offers nothing to save.
  await chooseSheet(page, written);
  await expect(page.getByText('Everything in this file is already saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0);

  const changed = `${written.replace('My Tagged Item,Item', 'Blue bag,Bag')},=Drill,,,,,\r\n,Tent,House,,,,\r\n`;
  await chooseSheet(page, changed);
  await expect(page.getByRole('status').filter({ hasText: '1 new item' })).toHaveText(
    '1 row with a problem, 1 new item, 1 change',
  );
  await expect(page.getByRole('listitem').filter({ hasText: 'Row 4' })).toContainText('There is no type “House”.');

  // A file in an older encoding takes the place of the one before, and nothing of it can be saved.
  await chooseSheet(page, Buffer.from('Name\r\nSchlüssel\r\nTent\r\n', 'latin1'));
  await expect(page.getByRole('alert')).toContainText('We can’t read some characters in this file.');
  await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0);

  await chooseSheet(page, changed);
  await page.getByRole('button', { name: 'Save 2 items' }).click();
  await expect(page.getByText('2 items are saved')).toBeVisible();

  const { data } = await client.from('items').select('item_name, item_type').order('item_name');
  expect(data).toEqual([
    { item_name: '=Drill', item_type: 'custom' },
    { item_name: 'Blue bag', item_type: 'bag' },
  ]);
  await expect(page.getByText('Your 2 items, as a CSV file.')).toBeVisible();
});

import { openRow } from './support/open-row.ts';
import { expect, test } from './support/test.ts';

test('rows hold what is seldom needed: closed at first, opened by a press and by a link to what is inside', async ({
  page,
  newOwner,
}) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys', call_enabled: false }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  for (const name of ['Stickers', 'How finders can reach you', 'Give away']) {
    await expect(row(name)).toHaveAttribute('aria-expanded', 'false');
  }
  // What is inside is said before it is opened.
  await expect(row('Stickers')).toHaveAccessibleName('Stickers 1 sticker');
  await expect(row('How finders can reach you')).toHaveAccessibleName(
    'How finders can reach you By WhatsApp, email, and anonymous message',
  );
  await expect(page.getByRole('switch')).toHaveCount(0);
  await openRow(page, 'Stickers');
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();
  await row('Stickers').click();
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeHidden();

  // A link of the dashboard leads to the switches.
  await page.goto(`/item/${code}#ways`);
  await expect(page.getByRole('switch', { name: 'Call' })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Call' })).toBeInViewport();
  // And the address of the scanner leads into the row that has it.
  await openRow(page, 'Stickers');
  await page.getByRole('button', { name: 'Add a sticker' }).click();
  await expect(page).toHaveURL(`/item/${code}#scan`);
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Scan the sticker to add' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add a sticker' })).toBeVisible();
});

test('an item’s page says its name, and shows its picture, once', { tag: '@one-width' }, async ({ page, newOwner }) => {
  const { client, code } = await newOwner(page);
  await client.from('items').update({ item_name: 'Keys of the boat' }).eq('qr_id', code).throwOnError();
  await page.goto(`/item/${code}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Keys of the boat' })).toBeVisible();
  await expect(page.getByRole('main').getByText('Keys of the boat')).toHaveCount(1);
  // What the registration wrote in place of a description is gone with the name.
  await expect(page.getByText('No description')).toBeVisible();
});

test.describe('a row whose content cannot be loaded', () => {
  test.use({ refusals: ['no connection'] });

  test('closes again, says so, and opens later', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
    const { client, code } = await newOwner(page);
    await client.from('items').update({ item_name: 'Keys' }).eq('qr_id', code).throwOnError();
    await page.route('**/assets/give-item-*.js', (route) => route.abort());
    await page.goto(`/item/${code}`);
    await openRow(page, 'Give away');
    await expect(page.getByText('An error occurred')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Give away', expanded: false })).toBeVisible();
  });
});

import type { Page } from '@playwright/test';
import { expect, type FreshOwner, test } from './support/test.ts';

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Glad you have it back' });

/** An item that is lost for an hour, with a note and a reward. */
async function lose({ client, code }: FreshOwner): Promise<void> {
  const lost = {
    item_name: 'Keys',
    note_to_finders: 'Lost on bus 18',
    reward: 'A homemade cake',
    lost_at: new Date(Date.now() - 3_600_000).toISOString(),
  };
  await client.from('items').update(lost).eq('qr_id', code).throwOnError();
}

async function stateOf({ client }: FreshOwner) {
  const { data: item } = await client.from('items').select('lost_at, note_to_finders, reward').single().throwOnError();
  const { data: thanks } = await client.from('messages').select('kind, body').eq('sender', 'owner').throwOnError();
  return { ...item, thanks: thanks.map(({ kind, body }) => (kind === 'text' ? body : kind)) };
}

test('an owner thanks the finder in words of their own, and nothing that was promised stays on the finder’s page', async ({
  page,
  another,
  newOwner,
}) => {
  const owner = await newOwner(page);
  await lose(owner);
  const finder = await another();
  await finder.goto(`/item/${owner.code}`);
  await finder.getByLabel('Your message').fill('At the café');
  await finder.getByRole('button', { name: 'Send Message' }).click();
  await expect(finder.getByRole('log')).toContainText('At the café');

  await page.goto(`/item/${owner.code}`);
  await page.getByRole('button', { name: 'I have it back from Finder 1' }).click();
  await expect(sheet(page).getByRole('switch', { name: 'Thank Finder 1' })).toBeChecked();
  await expect(sheet(page).getByText('Leave the sticker on. It keeps working.')).toBeVisible();
  const thanks = sheet(page).getByLabel('Your thanks');
  await expect(thanks).toHaveValue('Thank you so much! I have it back.');
  await thanks.fill('The cake waits for you');
  await sheet(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('You have it back', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('The cake waits for you');
  await expect(page.getByRole('heading', { name: 'Not lost' })).toBeVisible();

  await expect(finder.getByRole('log')).toContainText('The cake waits for you');
  await expect(finder.getByText('Dana has it back.')).toBeVisible();
  await finder.reload();
  await expect(finder.getByText('Dana has it back.')).toBeVisible();
  for (const gone of ['Lost on bus 18', 'A homemade cake', 'Reported lost']) {
    await expect(finder.getByText(gone)).toBeHidden();
  }
});

test.describe('an item that comes back on a bad connection', () => {
  test.use({ refusals: ['no connection'] });

  test('is back once, with one line of thanks, where the response was lost', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner }) => {
    const owner = await newOwner(page);
    await lose(owner);
    await owner.client.rpc('send_message', { qr_id_param: owner.code, body_param: 'I have it' }).throwOnError();
    await page.goto(`/item/${owner.code}`);
    let attempts = 0;
    await page.route('**/rpc/take_back_item', async (route) => {
      attempts += 1;
      if (attempts > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'I have it back', exact: true }).click();
    await sheet(page).getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { name: 'Not lost' })).toBeFocused();
    expect(attempts).toBeGreaterThan(1);
    expect(await stateOf(owner)).toEqual({
      lost_at: null,
      note_to_finders: null,
      reward: null,
      // The finder reads it in their own language.
      thanks: ['thanks'],
    });
  });

  test('stays lost, with all that was promised, where its owner waits no longer', {
    tag: ['@one-width', '@rest'],
  }, async ({ page, newOwner }) => {
    const owner = await newOwner(page);
    await lose(owner);
    const before = await stateOf(owner);
    await page.goto(`/item/${owner.code}`);
    await page.route('**/rpc/take_back_item', (route) => route.abort());
    await page.getByRole('button', { name: 'I have it back', exact: true }).click();
    await sheet(page).getByRole('button', { name: 'Done' }).click();
    await expect(sheet(page).getByText('Not saved yet. We’re trying again...')).toBeVisible();
    await sheet(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(sheet(page)).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeVisible();
    expect(await stateOf(owner)).toEqual(before);
  });
});

test('of several finders one is thanked, or none, and what the owner wants to keep stays', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const owner = await newOwner(page);
  await lose(owner);
  for (const body_param of ['I saw it', 'I have it']) {
    await owner.client.rpc('send_message', { qr_id_param: owner.code, body_param }).throwOnError();
  }
  await page.goto(`/item/${owner.code}`);
  await page.getByRole('button', { name: 'I have it back', exact: true }).click();
  const who = sheet(page).getByLabel('Who brought it back?');
  await expect(who.locator('option')).toHaveText(['Finder 2', 'Finder 1', 'No one from these conversations']);
  await who.selectOption('No one from these conversations');
  await expect(sheet(page).getByLabel('Your thanks')).toBeHidden();
  await sheet(page).getByRole('switch', { name: 'Clear the note to finders' }).click();
  await sheet(page).getByRole('switch', { name: 'Clear the reward' }).click();
  await sheet(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Not lost' })).toBeFocused();
  expect(await stateOf(owner)).toEqual({
    lost_at: null,
    note_to_finders: 'Lost on bus 18',
    reward: 'A homemade cake',
    thanks: [],
  });
});

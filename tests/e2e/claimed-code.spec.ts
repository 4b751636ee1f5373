import { rm } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { makeClusterFolder } from '#tests/support/clusters/cluster-folder.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { operatorClient, protocolClients, registerPerson } from './support/register-person.ts';
import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

// The existing item causes a 409 for a second one.
test.use({ refusals: [409] });

test('a claimed code without an item: its owner tags it, and another account sees that it is taken', {
  tag: '@one-width',
}, async ({ page, another, newOwner, service, story }) => {
  const { client, session } = await newOwner(page);
  const code = newTagCode();
  const claimed = await client.rpc('register_qr_code', { qr_id_param: code, user_id_param: session.user.id });
  expect(claimed.error).toBeNull();

  const other = await another();
  await signIn(other.context(), service.url, story.newcomer);
  await other.goto(`/${code}`);
  await expect(other.getByText('This QR code is already registered to another account')).toBeVisible();
  await expect(other.getByRole('heading', { name: 'You found something of Dana’s' })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Tag Item' })).toBeHidden();

  await page.goto(`/${code}`);
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();

  await other.reload();
  await expect(other.getByRole('heading', { name: 'Umbrella' })).toBeVisible();
});

test('the sign-in says that a code is taken: another account goes on to its dashboard, and the owner to the item', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner }) => {
  const [taken, reader] = [await newOwner(), await newOwner()];
  const signInWith = async (at: Page, { email, password }: { readonly email: string; readonly password: string }) => {
    await at.goto(`/auth/${taken.code}?mode=login`);
    await expect(at.getByText('This sticker is already registered')).toBeVisible();
    await at.getByLabel('Email').fill(email);
    await at.getByLabel('Password', { exact: true }).fill(password);
    await at.getByRole('button', { name: 'Sign In', exact: true }).click();
  };
  await signInWith(page, reader);
  await expect(page).toHaveURL(/\/dashboard$/);
  const own = await another();
  await signInWith(own, taken);
  await expect(own).toHaveURL(`/item/${taken.code}`);
});

test('a code that turns out to be taken moves no form', { tag: ['@one-width', '@rest'] }, async ({
  page,
  newOwner,
}) => {
  const { code } = await newOwner();
  const { promise: held, resolve: respond } = Promise.withResolvers<void>();
  await page.route('**/rest/v1/rpc/can_claim_code', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/faq');
  // Of an earlier scan in this tab: the server does not know it.
  await page.evaluate((stored) => sessionStorage.setItem('reunite_qr_id', stored), code);
  await page.goto('/auth');
  await expect(page.getByText(`QR code: ${code}`)).toBeVisible();
  await expect(page.getByText('This sticker is already registered')).toBeHidden();
  const email = page.getByLabel('Email');
  const before = await email.boundingBox();
  respond();
  await expect(page.getByText('This sticker is already registered')).toBeVisible();
  await expect(page.getByText('We don’t know this sticker')).toBeHidden();
  await expect(page.getByText(`QR code: ${code}`)).toBeHidden();
  expect(await email.boundingBox()).toEqual(before);
});

test('the owner of a void sticker reads why at its typed code, and another account reads what it does of any code', {
  tag: ['@one-width', '@rest'],
}, async ({ page, another, newOwner, service, story }) => {
  const reason = 'A box of these stickers was stolen.';
  const { client, session } = await newOwner(page);
  const code = newTagCode();
  const item = { qr_id: code, user_id: session.user.id, item_type: 'bike', item_name: 'Red bicycle' };
  await client.from('items').insert(item).throwOnError();
  const operator = await operatorClient(service);
  const order = { qr_id_param: code, reason_param: reason, claimed_too: true };
  await operator.rpc('void_code', order).throwOnError();

  const find = async (by: Page, typed: string) => {
    await by.goto('/found');
    await by.getByLabel('Code on the sticker').fill(typed);
    await by.getByRole('button', { name: 'Continue' }).click();
  };
  await find(page, typedCodeOf(code));
  await expect(page).toHaveURL(`/item/${code}`);
  await expect(page.getByText(reason)).toBeVisible();

  await page.goto('/#scan');
  await page.getByRole('button', { name: 'Enter the code' }).click();
  await page.getByLabel('Code on the sticker').fill(typedCodeOf(code));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/item/${code}`);
  await expect(page.getByText(reason)).toBeVisible();

  const other = await another();
  await signIn(other.context(), service.url, story.newcomer);
  for (const typed of [typedCodeOf(code), typedCodeOf(newTagCode())]) {
    await find(other, typed);
    await expect(other.getByRole('heading', { name: 'This sticker isn’t in use' })).toBeVisible();
    await expect(other).toHaveURL(`/f/${typed}`);
  }
});

test('a finder writes while the owner of a claimed code names the item: the name is saved, and the message is there', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const code = newTagCode();
  await client.rpc('register_qr_code', { qr_id_param: code, user_id_param: session.user.id });
  await page.goto(`/item/${code}`);
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  await page.getByLabel('Description (optional)').fill('Red, with a wooden handle');

  const message = { qr_id_param: code, body_param: 'I found it on the bus' };
  expect((await client.rpc('send_message', message)).error).toBeNull();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
  const { data } = await client.from('items').select('item_type, item_name, description').eq('qr_id', code).single();
  expect(data).toEqual({ item_type: 'umbrella', item_name: 'Umbrella', description: 'Red, with a wooden handle' });
  await page.goto(`/item/${code}`);
  await expect(page.getByText('I found it on the bus')).toBeVisible();
});

test('an item that its owner has named is not named again by a form that was open meanwhile', {
  tag: ['@one-width', '@rest'],
}, async ({ page, newOwner }) => {
  const { client, session } = await newOwner(page);
  const code = newTagCode();
  await client.rpc('register_qr_code', { qr_id_param: code, user_id_param: session.user.id });
  await page.goto(`/item/${code}`);
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  const row = { qr_id: code, user_id: session.user.id, item_type: 'custom', item_name: 'Parasol' };
  expect((await client.from('items').insert(row)).error).toBeNull();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByRole('alert')).toHaveText('This QR code is already tagged to an item');
  expect((await client.from('items').select('item_name').eq('qr_id', code).single()).data?.item_name).toBe('Parasol');
});

test.describe('where responses are lost', () => {
  test.use({ refusals: ['no connection'] });

  test('opening the page for an item without a sticker claims nothing, where only issued codes count; tagging claims one, also where the response is lost', {
    tag: ['@one-width', '@rest'],
  }, async ({ page }) => {
    const folder = await makeClusterFolder();
    const closed = await startServiceProcess({ dataDirectory: folder, environment: { CLAIMABLE_CODES: 'issued' } });
    const client = (await protocolClients(closed))();
    const owner = { email: 'closed@example.com', password: 'three keys on a ribbon', fullName: 'Dana Levi' };
    const session = await registerPerson(client, { ...owner, phone: '+972501234567' });
    await signIn(page.context(), closed.url, session);
    const codes = async () => (await client.from('qr_codes').select('qr_id').throwOnError()).data;
    for (let visit = 0; visit < 2; visit += 1) {
      await page.goto(`${closed.url}/item/new-item`);
      await expect(page.getByRole('heading', { name: 'What are you tagging?' })).toBeVisible();
    }
    expect(await codes()).toEqual([]);
    await page.getByRole('radio', { name: 'Glasses' }).check();
    const claim = '**/rpc/claim_new_code';
    await page.route(claim, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByText('Not saved yet')).toBeVisible();
    // A reload forgets what was typed, and not which code was asked for.
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByRole('radio', { name: 'Glasses' }).check();
    await page.getByRole('button', { name: 'Tag Item' }).click();
    await expect(page.getByText('Not saved yet')).toBeVisible();
    await page.unroute(claim);
    // It goes on by itself.
    await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
    expect(await codes()).toHaveLength(1);
    expect((await client.from('items').select('item_type').throwOnError()).data).toEqual([{ item_type: 'glasses' }]);
    // The dashboard, where the screen leads by itself, would miss its live connection.
    await page.goto('/faq');
    await closed.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
});

import type { Page } from '@playwright/test';
import { press } from './support/keyboard.ts';
import { openRow } from './support/open-row.ts';
import { proveAddress } from './support/prove-address.ts';
import { register } from './support/register-owner.ts';
import { operatorClient, protocolClients } from './support/register-person.ts';
import { signIn } from './support/sign-in.ts';
import { expect, type FreshOwner, newTagCode, test } from './support/test.ts';

// An offer to the own address is refused with 400.
test.use({ refusals: [400] });

/** Offers the item on the screen to an address. */
async function offerOnScreen(page: Page, email: string): Promise<void> {
  const give = page.getByRole('button', { name: 'Give to someone' });
  if (!(await give.isVisible())) await openRow(page, 'Give away');
  await give.click();
  await page.getByLabel('Their email').fill(email);
  await press(page, page.getByRole('button', { name: 'Send offer' }));
  await expect(page.getByText(`You offered it to ${email}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Give away' })).toBeFocused();
}

test('an owner gives an item away, and its receiver accepts it from the email by a press', async ({
  page,
  another,
  service,
  outbox,
  newOwner,
}) => {
  const giver = await newOwner(page);
  const receiver = await newOwner();
  await proveAddress(service, receiver.session.user.id);
  const finder = (await protocolClients(service))();
  await finder.rpc('send_message', { qr_id_param: giver.code, body_param: 'At the desk' }).throwOnError();
  await page.goto(`/item/${giver.code}`);
  await offerOnScreen(page, receiver.email);

  const link = async () => {
    const mail = (await outbox()).find(({ recipient, body }) => recipient === receiver.email && /\/offer\//.test(body));
    return /https?:\/\/\S+\/offer\/\S+/.exec(mail?.body ?? '')?.[0];
  };
  await expect.poll(link).toBeDefined();
  const reader = await another();
  await signIn(reader.context(), service.url, receiver.session);
  await reader.goto('/dashboard');
  await expect(reader.getByText('Dana wants to give you an item.')).toBeVisible();
  // Opening the link changes nothing.
  await reader.goto(new URL((await link()) ?? '').pathname);
  await expect(reader.getByText('Dana wants to give you this item.')).toBeVisible();
  const { data: held } = await giver.client.from('items').select('qr_id').throwOnError();
  expect(held).toEqual([{ qr_id: giver.code }]);
  await press(reader, reader.getByRole('button', { name: 'Accept' }));
  await expect(reader.getByText('is yours now')).toBeVisible();
  await expect(reader).toHaveURL(`/item/${giver.code}`);
  await expect(reader.getByText('At the desk')).toBeHidden();

  // The giver has the conversation still, to read and to delete.
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Items you gave away' }).click();
  await expect(page).toHaveURL('/given');
  await page.getByRole('link', { name: 'Messages about' }).click();
  await expect(page.getByText('At the desk')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back' }).click();
  // Until then the conversation is shown, which can be deleted as well.
  await expect(page).toHaveURL('/given');
  await page.getByRole('button', { name: /^Delete .* from this list$/ }).click();
  await press(page, page.getByRole('button', { name: 'Delete', exact: true }));
  await expect(page.getByText('Nothing here.')).toBeVisible();
  await expect(page.getByText('Nothing here.').locator('xpath=..')).toBeFocused();
});

test('a former owner reads the messages about the 101st item too', { tag: ['@one-width', '@rest'] }, async ({
  page,
  service,
  newOwner,
}) => {
  const { client, session, code } = await newOwner(page);
  await client.rpc('send_message', { qr_id_param: code, body_param: 'At the desk' }).throwOnError();
  const operator = await operatorClient(service);
  const give = (given_at: string) =>
    operator.from('items').update({ qr_id: null, given_at }).eq('user_id', session.user.id).is('given_at', null);
  await give('2026-01-01T12:00:00Z').throwOnError();
  const books = Array.from({ length: 100 }, (_, index) => ({
    qr_id: newTagCode(),
    user_id: session.user.id,
    item_type: 'book',
    item_name: `Book ${index}`,
  }));
  await operator.from('items').insert(books).throwOnError();
  await give('2026-02-01T12:00:00Z').throwOnError();

  await page.goto('/given');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(100);
  // By the keyboard, without a walk past a hundred items.
  await page.getByRole('link', { name: 'Show earlier ones' }).press('Enter');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('main').getByRole('list').locator('xpath=..')).toBeFocused();
  await page.getByRole('link', { name: 'Messages about' }).click();
  await expect(page.getByText('At the desk')).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Show the newest' }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(100);
});

test('an owner cancels an offer, and makes another that is declined', { tag: ['@one-width', '@rest'] }, async ({
  page,
  another,
  service,
  newOwner,
}) => {
  const giver = await newOwner(page);
  const code = newTagCode();
  const row = { qr_id: code, user_id: giver.session.user.id, item_type: 'bike', item_name: 'Red bicycle' };
  await giver.client.from('items').insert(row).throwOnError();
  const receiver = await newOwner();
  await proveAddress(service, receiver.session.user.id);
  await page.goto(`/item/${code}`);
  await openRow(page, 'Give away');
  await page.getByRole('button', { name: 'Give to someone' }).click();
  await page.getByLabel('Their email').fill(giver.email);
  await page.getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByText('We can’t send an offer to this address.')).toBeVisible();
  await page.keyboard.press('Escape');
  await offerOnScreen(page, 'no-account-has-this@example.com');
  await press(page, page.getByRole('button', { name: 'Cancel offer' }));
  await expect(page.getByText('Offer canceled')).toBeVisible();
  await offerOnScreen(page, receiver.email);

  const reader = await another();
  await signIn(reader.context(), service.url, receiver.session);
  await reader.goto('/dashboard');
  await reader.getByRole('link', { name: 'See offer' }).click();
  await press(reader, reader.getByRole('button', { name: 'Decline' }));
  await expect(reader.getByRole('heading', { name: 'You declined' })).toBeFocused();
  await reader.getByRole('link', { name: 'Your items' }).click();
  await expect(reader.getByRole('link', { name: 'See offer' })).toBeHidden();
  await page.reload();
  await openRow(page, 'Give away');
  await expect(page.getByText(`${receiver.email} declined your offer.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Give to someone' })).toBeEnabled();
});

test.describe('an offer that ended meanwhile', () => {
  // The refusal of the acceptance.
  test.use({ refusals: [404] });

  test('is shown as such when its reader accepts', { tag: ['@one-width', '@rest'] }, async ({
    page,
    service,
    newOwner,
  }) => {
    const { client, code } = await newOwner();
    const receiver = await newOwner(page);
    await proveAddress(service, receiver.session.user.id);
    const { data: item } = await client.from('items').select('id').eq('qr_id', code).single().throwOnError();
    const make = { item_id_param: item.id, email_param: receiver.email };
    const { data: offer } = await client.rpc('offer_item', make).throwOnError();
    await page.goto(`/offer/${offer.id}`);
    await expect(page.getByText('Dana wants to give you this item.')).toBeVisible();
    await expect(page.getByText('Something of Dana’s')).toBeVisible();
    await expect(page.getByText('My Tagged Item')).toBeHidden();
    await client.from('item_offers').delete().eq('id', offer.id).throwOnError();
    await press(page, page.getByRole('button', { name: 'Accept' }));
    await expect(page.getByRole('heading', { name: 'This offer isn’t open to you' })).toBeFocused();
    await expect(page.getByRole('button', { name: 'Accept' })).toBeHidden();
  });
});

/** Offers the owner's item to an address, and returns the offer's id and the link in its email. */
async function offerByMail(
  { client, code }: FreshOwner,
  email: string,
  outbox: () => Promise<readonly { recipient: string; body: string }[]>,
): Promise<{ readonly id: string; readonly link: URL }> {
  const { data: item } = await client.from('items').select('id').eq('qr_id', code).single().throwOnError();
  const make = { item_id_param: item.id, email_param: email };
  const { data: offer } = await client.rpc('offer_item', make).throwOnError();
  const link = async () => {
    const mail = (await outbox()).find(({ recipient, body }) => recipient === email && /\/offer\//.test(body));
    return /https?:\/\/\S+\/offer\/\S+/.exec(mail?.body ?? '')?.[0];
  };
  await expect.poll(link).toBeDefined();
  return { id: offer.id, link: new URL((await link()) ?? '') };
}

test('who has no account signs up from the emailed offer, and accepts it without another email', {
  tag: ['@one-width', '@rest'],
}, async ({ page, outbox, newOwner }) => {
  const giver = await newOwner();
  const email = `later-${crypto.randomUUID()}@example.com`;
  const { id, link } = await offerByMail(giver, email, outbox);
  await page.goto(link.pathname + link.hash);
  await page.getByRole('link', { name: 'Create Account' }).click();
  await expect(page).toHaveURL('/auth?mode=register');
  // The code comes to the phone: the link alone proves the address.
  await register(page, '/auth?mode=register', email, 'three keys on a ribbon');
  await page.getByRole('textbox').first().focus();
  await page.keyboard.type('123456');
  await expect(page).toHaveURL(`/offer/${id}`);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL(`/item/${giver.code}`);
});

test.describe('without the link of its email', () => {
  test('an offer waits until its address is proved', { tag: ['@one-width', '@rest'] }, async ({
    page,
    service,
    outbox,
    newOwner,
  }) => {
    const receiver = await newOwner(page);
    const { id } = await offerByMail(await newOwner(), receiver.email, outbox);
    await page.goto(`/offer/${id}`);
    await expect(page.getByText(`confirm that ${receiver.email} is yours`)).toBeVisible();
    await proveAddress(service, receiver.session.user.id);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Accept' })).toBeEnabled();
  });
});

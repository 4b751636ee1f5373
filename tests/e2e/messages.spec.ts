import type { Page } from '@playwright/test';
import { queryDatabase } from '#tests/support/query-database.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { countSubscriptions } from './support/count-subscriptions.ts';
import { press, tabTo } from './support/keyboard.ts';
import { expect, type FreshOwner, newTagCode, test } from './support/test.ts';

const rows = (page: Page) => page.getByRole('main').getByRole('listitem').getByRole('link');

/** An item with this name. Returns its code. */
async function tag({ client, session }: FreshOwner, item_name: string): Promise<string> {
  const code = newTagCode();
  const item = { qr_id: code, user_id: session.user.id, item_type: 'custom', item_name };
  await client.from('items').insert(item).throwOnError();
  return code;
}

async function write({ client }: FreshOwner, code: string, details: Readonly<Record<string, unknown>>): Promise<void> {
  const finder = { qr_id_param: code, finder_key_param: `the-key-of-a-finder-${code}`, body_param: '' };
  await client.rpc('send_message', { ...finder, ...details }).throwOnError();
}

async function replyAbout({ client }: FreshOwner, code: string): Promise<void> {
  const { data } = await client
    .from('conversations')
    .select('id, items!inner()')
    .eq('items.qr_id', code)
    .single()
    .throwOnError();
  await client.rpc('send_reply', { conversation_id_param: data.id, body_param: 'Thank you' }).throwOnError();
}

/** 200 items, the last 120 of them with a conversation, number 120 the newest. The owner has replied in every third. */
async function fillInbox(service: ServiceProcess, { session }: FreshOwner): Promise<void> {
  await queryDatabase(
    service,
    `with tagged as (
       insert into public.items (qr_id, user_id, item_type, item_name)
         select 'tgt-' || substr(md5($1 || n), 1, 16), $1::uuid, 'book', 'Book ' || n from generate_series(-79, 120) as n
         returning id, user_id, substr(item_name, 6)::int as n
     ), begun as (
       insert into public.conversations (item_id, owner_id) select id, user_id from tagged where n > 0
         returning id, item_id, owner_id
     )
     insert into public.messages (conversation_id, item_id, owner_id, sender, body, created_at, read_at)
       select begun.id, item_id, owner_id, 'finder', 'I found book ' || n, now() - make_interval(mins => 500 - n), now()
         from begun join tagged on tagged.id = begun.item_id`,
    [session.user.id],
  );
  await queryDatabase(
    service,
    `insert into public.messages (conversation_id, item_id, owner_id, sender, body, created_at)
       select conversation.id, item.id, item.user_id, 'owner', 'Thank you', conversation.newest_at + interval '10 seconds'
         from public.conversations as conversation join public.items as item on item.id = conversation.item_id
         where item.user_id = $1 and item.item_name like 'Book %' and substr(item.item_name, 6)::int % 3 = 0`,
    [session.user.id],
  );
}

test('all conversations are one list, each with its item, who wrote last and what, and leads to itself', async ({
  page,
  newOwner,
}) => {
  const owner = await newOwner(page);
  await page.goto('/messages');
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();

  const codes = { hat: await tag(owner, 'Old hat'), scarf: await tag(owner, 'Red scarf') };
  await write(owner, codes.hat, { body_param: 'I found your hat.\nIt is wet.' });
  await write(owner, codes.scarf, { kind_param: 'left_it', place_param: 'the café' });
  await page.reload();
  await expect(rows(page)).toHaveText([
    /^Red scarf\s*New\s*now\s*Finder: I left it at .?the café.?$/,
    /^Old hat\s*New\s*now\s*Finder: I found your hat\.$/,
  ]);
  // New says so by itself; what is read waits until the owner replies.
  await expect(page.getByText('Waiting for you')).toBeHidden();
  await owner.client.from('messages').update({ read_at: new Date().toISOString() }).is('read_at', null).throwOnError();
  await page.reload();
  await expect(rows(page).filter({ hasText: 'Waiting for you' })).toHaveCount(2);

  await replyAbout(owner, codes.hat);
  await page.reload();
  await expect(rows(page)).toHaveText([/^Old hat.*You: Thank you$/, /^Red scarf.*Waiting for you$/]);
  await rows(page).last().click();
  await expect(page).toHaveURL(new RegExp(`/item/${codes.scarf}#thread-`));
  await expect(page.getByText('I left it at')).toBeInViewport();
  await page.goBack();
  await expect(rows(page)).toHaveCount(2);
});

test('a message that arrives comes first, also where it begins a conversation', async ({ page, newOwner }) => {
  const owner = await newOwner(page);
  const codes = { hat: await tag(owner, 'Old hat'), scarf: await tag(owner, 'Red scarf') };
  await write(owner, codes.hat, { body_param: 'I found your hat' });
  const subscriptions = countSubscriptions(page);
  await page.goto('/messages');
  await expect(rows(page)).toHaveText([/Old hat/]);
  await expect.poll(subscriptions).toBe(1);
  await write(owner, codes.scarf, { kind_param: 'have_it' });
  await expect(rows(page)).toHaveText([/Red scarf.*Finder: I have it/, /Old hat/]);
  await write(owner, codes.hat, { body_param: 'It is at the café' });
  await expect(rows(page)).toHaveText([/Old hat.*It is at the café/, /Red scarf/]);
  // On another device.
  await replyAbout(owner, codes.hat);
  await expect(rows(page).first()).toContainText('You: Thank you');
  await owner.client.from('messages').update({ read_at: new Date().toISOString() }).is('read_at', null).throwOnError();
  await expect(rows(page).filter({ hasText: 'New' })).toHaveCount(0);
});

test('120 conversations come page by page, by keyboard, and are there on the way back', async ({
  page,
  newOwner,
  service,
}) => {
  const owner = await newOwner(page);
  await fillInbox(service, owner);
  await page.goto('/messages');
  await expect(rows(page)).toHaveCount(50);
  await expect(rows(page).first()).toContainText('Book 120');
  const more = page.getByRole('button', { name: 'Show earlier ones' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(100);
  await expect(rows(page).nth(50)).toBeFocused();
  await expect(rows(page).nth(50)).toContainText('Book 70');
  await more.press('Enter');
  await expect(rows(page)).toHaveCount(120);
  await expect(more).toBeHidden();
  await expect(rows(page).last()).toContainText('Book 1');

  const visited = rows(page).filter({ hasText: 'I found book 11' }).last();
  await tabTo(page, visited);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/item\/tgt-.*#thread-/);
  await expect(page.getByText('I found book 11', { exact: true })).toBeInViewport();
  await page.goBack();
  await expect(rows(page)).toHaveCount(120);
  await expect(visited).toBeInViewport();
});

test('the items that wait for their owner are found with one press', { tag: '@rest' }, async ({
  page,
  newOwner,
  service,
}) => {
  const owner = await newOwner(page);
  await fillInbox(service, owner);
  await page.goto('/dashboard');
  const show = page.getByRole('group', { name: 'Show' });
  await press(page, show.getByRole('button', { name: 'Waiting for you (80)' }));
  const cards = page.getByRole('main').getByRole('link', { name: /^Book/ });
  // They are shown as they are needed.
  await expect(async () => {
    await cards.last().scrollIntoViewIfNeeded();
    await expect(cards).toHaveCount(80, { timeout: 500 });
  }).toPass();
  await expect(page.getByRole('link', { name: /^Book 120/ })).toBeHidden();
  await expect(page.getByRole('link', { name: /^Book 119/ })).toBeVisible();
});

test.describe('without a connection', () => {
  test.use({ refusals: ['no connection', 503] });

  test('the conversations stay, and come up to date with the connection', { tag: '@rest' }, async ({
    page,
    newOwner,
  }) => {
    const owner = await newOwner(page);
    const hat = await tag(owner, 'Old hat');
    await write(owner, hat, { body_param: 'I found your hat' });
    await page.goto('/messages');
    await expect(rows(page)).toHaveText([/I found your hat/]);
    await page.context().setOffline(true);
    await expect(page.getByText('You’re offline').first()).toBeVisible();
    await expect(rows(page)).toHaveText([/I found your hat/]);
    await write(owner, hat, { body_param: 'It is at the café' });
    await page.context().setOffline(false);
    await expect(rows(page)).toHaveText([/It is at the café/]);
  });
});

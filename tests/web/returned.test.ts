import { expect, test } from 'vitest';
import { actAs } from '#tests/support/act-as.ts';
import { beginUntilLocked } from '#tests/support/begin-until-locked.ts';
import { expectPage } from '#tests/support/expect-page.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { openBrowser } from './support/open-browser.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Levi' });

/** A finder writes; returns the cookie of that browser. */
async function write(item: TestItem, body: string, fields: { message_id?: string } = {}, cookie = ''): Promise<string> {
  const response = await postForm(
    web,
    `/item/${item.qrId}/message`,
    { body, ...fields },
    { headers: { Cookie: cookie } },
  );
  expect(response.status).toBe(303);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const pageFor = async (item: TestItem, cookie: string) =>
  (await readDocument(await web.request(`/item/${item.qrId}`, { headers: { Cookie: cookie } }))).html;

/** Whether the finder with this cookie reads that the owner has the item back. */
async function isReturned(item: TestItem, cookie: string): Promise<boolean> {
  const response = await web.request(`/item/${item.qrId}/conversation`, { headers: { Cookie: cookie } });
  const conversation = (await response.json()) as { returned: boolean };
  const notice = conversation.returned ? '<div data-returned="">' : '<div data-returned="" hidden="">';
  expect(await pageFor(item, cookie)).toContain(notice);
  return conversation.returned;
}

async function takeBack({ id }: TestItem, from: 'the first finder' | 'whoever has it'): Promise<void> {
  const conversation =
    from === 'the first finder'
      ? '(select id from public.conversations where item_id = $1 order by created_at limit 1)'
      : 'null';
  await actAs(database, owner.caller, (client) =>
    client.query(`select public.take_back_item($1, ${conversation})`, [id]),
  );
}

async function isLost({ id }: TestItem): Promise<boolean> {
  const [row] = await database.query<{ lost: boolean }>(
    'select lost_at is not null as lost from public.items where id = $1',
    [id],
  );
  return row?.lost ?? false;
}

async function newLostItem(): Promise<TestItem> {
  const item = await createItem(database, owner);
  await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
  return item;
}

test('the finder who brought an item back is thanked, the item is no longer lost, and others read nothing of it', async () => {
  const item = await newLostItem();
  const first = await write(item, 'I have it');
  const second = await write(item, 'I saw it');
  expect([await isReturned(item, first), await isReturned(item, second)]).toEqual([false, false]);
  await takeBack(item, 'the first finder');
  expect([await isReturned(item, first), await isReturned(item, second)]).toEqual([true, false]);
  const page = await pageFor(item, first);
  expect(page).toContain('Dana has it back');
  expect(page).toContain('Thank you for your help!');
  // Who helped may want the same for their own things.
  expect(page).toMatch(/<a href="\/auth\?mode=register"[^>]*>Tag your own things</);
  expect(await pageFor(item, second)).not.toContain('Tag your own things');
  await expect.poll(() => pageFor(item, first)).not.toContain('Reported lost');
  expect(await isLost(item)).toBe(false);
});

test('an owner who has an item back without saying from whom ends every conversation about it', async () => {
  const item = await newLostItem();
  const cookies = [await write(item, 'I have it'), await write(item, 'I saw it')];
  await takeBack(item, 'whoever has it');
  for (const cookie of cookies) expect(await isReturned(item, cookie)).toBe(true);
  expect(await isLost(item)).toBe(false);
});

/** What the owner's sheet asks for, all at once. Returns the SQLSTATE of a refusal. */
async function takeBackWith({ id }: TestItem, thanks: string, thanksId: string, ends: 'one' | 'all' = 'one') {
  const [conversation] = await database.query<{ id: string }>(
    'select id from public.conversations where item_id = $1 order by created_at limit 1',
    [id],
  );
  const named = conversation?.id ?? null;
  return actAs(database, owner.caller, (client) =>
    client.query('select public.take_back_item($1, $2, true, true, $3, $4, $5)', [
      id,
      ends === 'one' ? named : null,
      thanks,
      thanksId,
      named,
    ]),
  ).then(
    () => null,
    ({ code }: { code: string }) => code,
  );
}

/** What a finder reads of the item, and how often the owner has thanked. */
async function stateOf({ id }: TestItem) {
  const [state] = await database.query(
    `select lost_at is not null as lost, note_to_finders as note, reward,
        (select count(*)::int from public.messages where item_id = item.id and sender = 'owner') as thanks,
        (select count(*)::int from public.conversations where item_id = item.id and returned_at is not null) as returned
      from public.items as item where id = $1`,
    [id],
  );
  return state;
}

async function newPromisedItem(): Promise<TestItem> {
  const item = await createItem(database, owner, { reward: 'A cake', noteToFinders: 'Ring twice' });
  await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
  return item;
}
const PROMISED = { lost: true, note: 'Ring twice', reward: 'A cake', thanks: 0, returned: 0 };
const SETTLED = { lost: false, note: null, reward: null, thanks: 1, returned: 1 };

test('the owner thanks the finder and takes note and reward off the finder’s page in the same act, once however often it is sent', async () => {
  const item = await newPromisedItem();
  const cookie = await write(item, 'I have it');
  const thanksId = crypto.randomUUID();
  expect(await takeBackWith(item, 'You are a star', thanksId)).toBeNull();
  expect(await stateOf(item)).toEqual(SETTLED);
  const page = await pageFor(item, cookie);
  expect(page).toContain('You are a star');
  expect(page).toContain('Dana has it back');
  // The item is remembered until the database tells of the change.
  await expect.poll(() => pageFor(item, cookie)).not.toMatch(/A cake|Ring twice|Reported lost/);

  expect(await takeBackWith(item, 'You are a star', thanksId)).toBeNull();
  expect(await stateOf(item)).toEqual(SETTLED);
  // The retry of a lost response does not end what the finder has begun since.
  await write(item, 'There was a key in it, too', {}, cookie);
  expect(await takeBackWith(item, 'You are a star', thanksId)).toBeNull();
  expect(await isReturned(item, cookie)).toBe(false);
});

test('of many conversations that end, the finder who brought the item is thanked alone', async () => {
  const item = await newPromisedItem();
  const [first, second] = [await write(item, 'I have it'), await write(item, 'I saw it')];
  expect(await takeBackWith(item, 'You are a star', crypto.randomUUID(), 'all')).toBeNull();
  expect(await stateOf(item)).toEqual({ ...SETTLED, returned: 2 });
  expect(await pageFor(item, first)).toContain('You are a star');
  expect(await pageFor(item, second)).not.toContain('You are a star');
});

test('where the thanks cannot be sent, nothing else has happened', async () => {
  const item = await newPromisedItem();
  await write(item, 'I have it');
  expect(await takeBackWith(item, 'x'.repeat(251), crypto.randomUUID())).toBe('22023');
  expect(await stateOf(item)).toEqual(PROMISED);
  expect(await takeBackWith(item, ' ', crypto.randomUUID())).toBe('22023');
  const [taken] = await database.query<{ id: string }>('select id from public.messages where item_id = $1', [item.id]);
  expect(await takeBackWith(item, 'Thank you', taken?.id ?? '')).toBe('23505');
  expect(await stateOf(item)).toEqual(PROMISED);
});

test('a further message opens the conversation again, and a retry of an earlier one does not', async () => {
  const item = await newLostItem();
  const message_id = crypto.randomUUID();
  const cookie = await write(item, 'I have it', { message_id });
  await takeBack(item, 'the first finder');
  await write(item, 'I have it', { message_id }, cookie);
  expect(await isReturned(item, cookie)).toBe(true);
  await write(item, 'There was a key in it, too', {}, cookie);
  expect(await isReturned(item, cookie)).toBe(false);
  expect(await isLost(item)).toBe(false);
});

test('a message that is sent while the owner takes the item back opens the conversation again', () =>
  // The service waits for the owner for a second.
  inSomeAttempt(async () => {
    const item = await newLostItem();
    const cookie = await write(item, 'I have it');
    // The notice of it looks at the same rows.
    await expect.poll(() => jobsAtHand(database)).toEqual([]);
    const writing = await actAs(database, owner.caller, async (client) => {
      await client.query('select public.take_back_item($1)', [item.id]);
      return beginUntilLocked(database, () => write(item, 'Which door?', {}, cookie));
    });
    await writing.outcome;
    expect(await isReturned(item, cookie)).toBe(false);
  }));

test('the open page says that the owner has the item back, without a reload', async () => {
  const item = await newLostItem();
  const visit = await openBrowser();
  await visit(async ({ page }) => {
    await page.goto(`${web.url}/item/${item.qrId}`);
    await page.getByLabel('Your message').fill('At the front desk');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expectPage(page.getByRole('log')).toContainText('At the front desk');
    await expectPage(page.getByText('Dana has it back')).toBeHidden();
    await takeBack(item, 'the first finder');
    await expectPage(page.getByRole('status').getByText('Dana has it back')).toBeVisible();
  });
});

test('the reward that the owner names is on the page, in the owner’s words alone', async () => {
  const item = await createItem(database, owner, { reward: '€50 <b>& cake' });
  const { html } = await readDocument(await web.request(`/item/${item.qrId}`));
  expect(html).toContain('Dana offers a reward');
  expect(html).toContain('€50 &lt;b&gt;&amp; cake');
  expect(html).toContain('We don’t handle money.');
  const cake = await createItem(database, owner, { reward: 'A cake' });
  expect((await readDocument(await web.request(`/item/${cake.qrId}`))).html).not.toContain('money');
  const without = await createItem(database, owner);
  expect((await readDocument(await web.request(`/item/${without.qrId}`))).html).not.toContain('reward');
});

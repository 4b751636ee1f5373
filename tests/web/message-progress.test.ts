import { expect, test } from 'vitest';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';
import { sendReply } from './support/send-reply.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);

/** An owner whom no notice reaches. */
async function createSilentOwner(): Promise<TestOwner> {
  const owner = await createOwner(database, { fullName: 'Dana Levi' });
  await database.query('update auth.users set email = null, email_confirmed_at = null where id = $1', [owner.id]);
  return owner;
}

/** Sends a finder's message. Returns how its finder reads what became of it. */
async function write(item: TestItem, cookie = '') {
  const headers = { Cookie: cookie };
  const sent = await postForm(web, `/item/${item.qrId}/message`, { body: 'I have it' }, { headers });
  const Cookie = sent.headers.get('set-cookie')?.split(';')[0] ?? '';
  return {
    cookie: Cookie,
    progress: async () =>
      (await (await web.request(`/item/${item.qrId}/conversation`, { headers: { Cookie } })).json()).progress,
    /** The lines that the page shows without a script. */
    lines: async () => {
      const { html } = await readDocument(await web.request(`/item/${item.qrId}`, { headers: { Cookie } }));
      const lines = html.match(/<p data-state="\w+">.*?<\/p>/g) ?? [];
      return lines.map((line) => line.replaceAll(/<[^>]*>/g, ''));
    },
  };
}

const clientOf = async (owner: TestOwner) => web.client({ token: await web.token({ sub: owner.id }) });

/** Makes everything about the item older. */
async function letTimePass(item: TestItem, interval: string): Promise<void> {
  const values = [item.id, interval];
  const client = await database.pool.connect();
  await client.query('begin');
  // Without the trigger that keeps the time of the first reading.
  await client.query('set local session_replication_role = replica');
  await client.query(
    'update public.messages set created_at = created_at - $2::interval, read_at = read_at - $2::interval where item_id = $1',
    values,
  );
  await client.query(
    `update public.conversations
       set delivered_until = delivered_until - $2::interval, shown_until = shown_until - $2::interval,
         shown_at = shown_at - $2::interval
       where item_id = $1`,
    values,
  );
  await client.query('commit');
  client.release();
}

/** Marks the messages about the item as read, as the app does, on a device whose clock is wrong. */
async function markRead(owner: TestOwner, item: TestItem): Promise<void> {
  const client = await clientOf(owner);
  await client.from('messages').update({ read_at: '2001-01-01T00:30:00Z' }).eq('item_id', item.id).throwOnError();
}

test('a message is delivered once a notice has left, seen to the hour once its owner has read it, and a reply ends both', async () => {
  const owner = await createOwner(database, { fullName: 'Dana Levi' });
  const item = await createItem(database, owner);
  const finder = await write(item);
  await expect.poll(finder.progress).toEqual({ state: 'delivered', seen_at: null });
  expect(await finder.lines()).toEqual(['Delivered. You’ll read Dana’s reply here.']);

  await markRead(owner, item);
  // Who watches the page learns nothing from the moment at which it changes.
  expect(await finder.progress()).toEqual({ state: 'delivered', seen_at: null });
  await letTimePass(item, '2 hours');
  const { state, seen_at } = await finder.progress();
  expect(state).toBe('seen');
  expect(Date.parse(seen_at) % 3_600_000).toBe(0);
  expect(Date.now() - Date.parse(seen_at)).toBeLessThan(2 * 3_600_000 + 10_000);
  expect(await finder.lines()).toEqual([
    expect.stringMatching(/^Seen about \w+ \d+, \d{4}, \d+:00\s[AP]M UTC\. You’ll read Dana’s reply here\.$/),
  ]);

  await sendReply(database, owner, item, 'Thank you');
  expect(await finder.progress()).toBeNull();
  expect(await finder.lines()).toEqual([]);

  // The next message begins anew.
  await letTimePass(item, '1 hour');
  const again = await write(item, finder.cookie);
  await expect.poll(again.progress).toEqual({ state: 'delivered', seen_at: null });
  await (await clientOf(owner)).rpc('take_back_item', { item_id_param: item.id }).throwOnError();
  expect(await again.progress()).toBeNull();
});

test('an owner can hide that a message was seen', async () => {
  const owner = await createSilentOwner();
  const item = await createItem(database, owner);
  const finder = await write(item);
  const client = await clientOf(owner);
  await client.from('profiles').update({ seen_shown: false }).eq('id', owner.id).throwOnError();
  await markRead(owner, item);
  expect(await finder.progress()).toEqual({ state: 'sent', seen_at: null });
  await letTimePass(item, '2 hours');
  expect(await finder.progress()).toEqual({ state: 'delivered', seen_at: null });
  await client.from('profiles').update({ seen_shown: true }).eq('id', owner.id).throwOnError();
  expect(await finder.progress()).toMatchObject({ state: 'seen' });
});

test('where no notice leaves, a message is sent, until an hour in which a screen of its owner had it is over', async () => {
  const owner = await createSilentOwner();
  const item = await createItem(database, owner);
  const finder = await write(item);
  await expect
    .poll(() => database.query("select from graphile_worker.jobs where task_identifier = 'notify_owner_of_message'"))
    .toEqual([]);
  expect(await finder.progress()).toEqual({ state: 'sent', seen_at: null });
  expect(await finder.lines()).toEqual(['Sent. Dana will get it soon, or when they next sign in.']);

  const stranger = await createOwner(database);
  await (await clientOf(stranger)).rpc('confirm_delivery').throwOnError();
  expect(await finder.progress()).toMatchObject({ state: 'sent' });
  await letTimePass(item, '2 hours');
  expect(await finder.progress()).toMatchObject({ state: 'sent' });
  await (await clientOf(owner)).rpc('confirm_delivery').throwOnError();
  // A screen that confirms again does not put it off.
  await letTimePass(item, '59 minutes');
  await (await clientOf(owner)).rpc('confirm_delivery').throwOnError();
  await letTimePass(item, '1 minute');
  expect(await finder.progress()).toEqual({ state: 'delivered', seen_at: null });

  // A later message has not arrived with it.
  expect(await (await write(item, finder.cookie)).progress()).toMatchObject({ state: 'sent' });
  // Nor has that of another finder.
  expect(await (await write(item)).progress()).toMatchObject({ state: 'sent' });
});

import { expect, test } from 'vitest';
import { actAs } from '#tests/support/act-as.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Levi' });

/** A finder's browser, with the cookie that it keeps. */
async function aBrowserThatWrote(item: TestItem, body: string): Promise<string> {
  const response = await write(item, body);
  expect(response.status).toBe(303);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const write = (item: TestItem, body: string, cookie = '', message_id: string = crypto.randomUUID()) =>
  postForm(web, `/item/${item.qrId}/message`, { body, message_id }, { headers: { Cookie: cookie } });

const bodies = async ({ id }: TestItem) =>
  (
    await database.query<{ body: string }>('select body from public.messages where item_id = $1 order by created_at', [
      id,
    ])
  ).map(({ body }) => body);

/** What the owner does in the app, to the oldest conversation about the item. */
async function decide({ id }: TestItem, change: string): Promise<void> {
  await actAs(database, owner.caller, (client) =>
    client.query(
      `${change} where id = (select id from public.conversations where item_id = $1 order by created_at limit 1)`,
      [id],
    ),
  );
}
const BLOCK = 'update public.conversations set blocked_at = now()';
const UNBLOCK = 'update public.conversations set blocked_at = null';
const MUTE = 'update public.conversations set muted_at = now()';
const DELETE = 'delete from public.conversations';

test('a blocked finder is refused kindly, also by the data service, and others are not', async () => {
  const item = await createItem(database, owner);
  const message_id = crypto.randomUUID();
  const first = await write(item, 'Give me money', '', message_id);
  const blocked = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  const other = await aBrowserThatWrote(item, 'I have it');
  await decide(item, BLOCK);
  const refused = await readDocument(await write(item, 'More', blocked));
  expect(refused.status).toBe(403);
  expect(refused.html).toContain('This owner isn’t accepting more messages from you.');
  expect(refused.html).toContain('hand it in');
  const finder_key_param = blocked.split('=')[1]?.split('.')[0] ?? '';
  const called = await web
    .client()
    .rpc('send_message', { qr_id_param: item.qrId, body_param: 'By hand', finder_key_param });
  expect(called.error?.code).toBe('PT423');
  // A retry of a message that had arrived is confirmed.
  expect((await write(item, 'Give me money', blocked, message_id)).status).toBe(303);
  expect((await write(item, 'At noon?', other)).status).toBe(303);
  expect(await bodies(item)).toEqual(['Give me money', 'I have it', 'At noon?']);

  await decide(item, UNBLOCK);
  expect((await write(item, 'Sorry', blocked)).status).toBe(303);
});

test('a block outlives the conversation: the browser and its return code begin no new one', async () => {
  const item = await createItem(database, owner);
  const blocked = await aBrowserThatWrote(item, 'Give me money');
  const shown = await web.request(`/item/${item.qrId}/conversation`, { headers: { Cookie: blocked } });
  const { return_code } = (await shown.json()) as { return_code: string };
  const back = await postForm(web, `/item/${item.qrId}/back`, { return_code });
  const elsewhere = back.headers.get('set-cookie')?.split(';')[0] ?? '';
  await decide(item, BLOCK);
  await decide(item, DELETE);
  for (const cookie of [blocked, elsewhere]) expect((await write(item, 'Again', cookie)).status).toBe(403);
  expect(await bodies(item)).toEqual([]);
  // A browser that forgot everything is a new finder.
  expect((await write(item, 'Again')).status).toBe(303);
});

test('a conversation that was not blocked leaves nothing behind, and an account takes its blocks along', async () => {
  const leaving = await createOwner(database);
  const item = await createItem(database, leaving);
  await aBrowserThatWrote(item, 'Hello');
  const conversations = 'public.conversations set blocked_at = now() where owner_id = $1';
  const kept = () => database.query('select 1 from internal.blocked_keys where owner_id = $1', [leaving.id]);
  await database.query('delete from public.conversations where owner_id = $1', [leaving.id]);
  expect(await kept()).toHaveLength(0);
  await aBrowserThatWrote(item, 'Hello again');
  await database.query(`update ${conversations}`, [leaving.id]);
  await database.query('delete from auth.users where id = $1', [leaving.id]);
  expect(await kept()).toHaveLength(0);
});

test('a muted conversation enqueues no notice, and its messages arrive', async () => {
  const item = await createItem(database, owner, { itemName: 'Quiet keys' });
  const muted = await aBrowserThatWrote(item, 'First');
  const mails = () =>
    web.delivery.emails.filter(({ subject }) => subject.includes('Quiet keys')).map(({ text }) => text);
  await expect.poll(mails, { timeout: 20_000 }).toHaveLength(1);
  await decide(item, MUTE);
  expect((await write(item, 'In silence', muted)).status).toBe(303);
  await aBrowserThatWrote(item, 'From another finder');
  await expect.poll(mails, { timeout: 20_000 }).toHaveLength(2);
  expect(mails().join()).not.toContain('In silence');
  expect(await bodies(item)).toEqual(['First', 'In silence', 'From another finder']);
});

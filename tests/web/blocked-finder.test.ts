import { expect, test } from 'vitest';
import { actAs, rehearse } from '#tests/support/act-as.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
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

const write = (
  item: TestItem,
  body: string,
  cookie = '',
  message_id: string = crypto.randomUUID(),
  address = anAddress(),
) => postForm(web, `/item/${item.qrId}/message`, { body, message_id }, { headers: { Cookie: cookie }, address });

/** The finder's key in the cookie. */
const keyIn = (cookie: string) => cookie.split('=')[1]?.split('.')[0] ?? '';

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
  const called = await web
    .client()
    .rpc('send_message', { qr_id_param: item.qrId, body_param: 'By hand', finder_key_param: keyIn(blocked) });
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

test('attempts of a blocked finder count against the limit, on the page and at the data service', async () => {
  const item = await createItem(database, owner);
  const blocked = await aBrowserThatWrote(item, 'Give me money');
  await decide(item, BLOCK);
  const address = anAddress();
  const service = web.client({ address: anAddress() });
  const call = () =>
    service.rpc('send_message', { qr_id_param: item.qrId, body_param: 'More', finder_key_param: keyIn(blocked) });
  const statuses: number[][] = [[], []];
  for (let at = 0; at < 6; at += 1) {
    statuses[0]?.push((await write(item, 'More', blocked, crypto.randomUUID(), address)).status);
    statuses[1]?.push((await call()).status);
  }
  expect(statuses).toEqual([
    [403, 403, 403, 403, 403, 429],
    [423, 423, 423, 423, 423, 429],
  ]);
});

test('a blocked finder is refused before anything is written, with and without the conversation', async () => {
  const item = await createItem(database, owner);
  const blocked = await aBrowserThatWrote(item, 'Give me money');
  await decide(item, BLOCK);
  for (const before of [[], [DELETE]]) {
    for (const change of before) await decide(item, change);
    await rehearse(database, async (client) => {
      // Includes what is rolled back.
      const insertions = async () =>
        (
          await client.query(
            'select relname, n_tup_ins from pg_stat_xact_user_tables where n_tup_ins > 0 order by relname',
          )
        ).rows;
      const earlier = await insertions();
      await client.query('savepoint attempt');
      const attempt = client.query("select public.send_message($1, 'More', finder_key_param => $2)", [
        item.qrId,
        keyIn(blocked),
      ]);
      await expect(attempt).rejects.toMatchObject({ code: 'PT423' });
      await client.query('rollback to attempt');
      expect(await insertions()).toEqual(earlier);
    });
  }
});

test('a muted conversation enqueues no notice, and its messages arrive', async () => {
  const item = await createItem(database, owner, { itemName: 'Quiet keys' });
  const muted = await aBrowserThatWrote(item, 'First');
  const mails = () =>
    web.delivery.emails.filter(({ subject }) => subject.includes('Quiet keys')).map(({ text }) => text);
  await expect.poll(mails).toHaveLength(1);
  await decide(item, MUTE);
  expect((await write(item, 'In silence', muted)).status).toBe(303);
  await aBrowserThatWrote(item, 'From another finder');
  await expect.poll(mails).toHaveLength(2);
  expect(mails().join()).not.toContain('In silence');
  expect(await bodies(item)).toEqual(['First', 'In silence', 'From another finder']);
});

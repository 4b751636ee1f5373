import { expect, test } from 'vitest';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const web = await startTestServer(database, { environment: { OPERATOR_EMAIL: 'operator@lost.example.org' } });

/** An owner with an item that a finder wrote about. */
async function anOwnerWithFinder() {
  const owner = await registerOwner(web, { data: { full_name: 'Canary Owner' } });
  const { client, user } = owner;
  const code = createTagCode();
  const item = { qr_id: code, user_id: user.id, item_type: 'keys', item_name: 'Canary keys' };
  await client.from('items').insert(item).throwOnError();
  const finderKey = `key-of-a-finder-${crypto.randomUUID()}`;
  const finder = { qr_id_param: code, finder_key_param: finderKey };
  await web
    .client()
    .rpc('send_message', { ...finder, body_param: 'canary of the finder' })
    .throwOnError();
  /** What the finder reads, but for how far the message came: notices change that. */
  const read = async () => {
    const { data: opened } = await web.client().rpc('read_conversation', finder).throwOnError();
    return { ...opened, progress: null };
  };
  const { data } = await client.from('conversations').select('id').single().throwOnError();
  const report = (kind: string, body: string) =>
    client.rpc('report_finder', { conversation_id_param: data.id, kind_param: kind, body_param: body });
  return { ...owner, code, conversationId: data.id as string, read, report };
}

const reportsOf = (userId: string) =>
  database.query<{ id: string; kind: string; body: string; repeats: number; conversation_id: string | null }>(
    'select id, kind, body, repeats, conversation_id from internal.reports where reported_by = $1 order by created_at, id',
    [userId],
  );

test('an owner’s report reaches the operator without the messages or the owner, and the finder reads nothing of it', async () => {
  const { user, email, phone, report, read, conversationId } = await anOwnerWithFinder();
  const before = await read();
  expect((await report('fraud', 'They ask for my PIN.')).error).toBeNull();
  const [stored, ...others] = await reportsOf(user.id);
  expect(others).toEqual([]);
  expect(stored).toMatchObject({
    kind: 'fraud',
    body: 'They ask for my PIN.',
    repeats: 0,
    conversation_id: conversationId,
  });
  const mailed = () => web.delivery.emails.find(({ text }) => text.includes(`reports show ${stored?.id}`));
  await expect.poll(mailed).toMatchObject({ to: 'operator@lost.example.org' });
  const mail = JSON.stringify(mailed());
  expect(mail).toContain('They ask for my PIN.');
  for (const secret of ['anary', user.id, email, phone]) expect(mail).not.toContain(secret);
  expect(await read()).toEqual(before);
});

test('a report that is sent twice is one report', async () => {
  const { user, report } = await anOwnerWithFinder();
  const responses = await Promise.all(Array.from({ length: 4 }, () => report('spam', 'Buy this')));
  expect(responses.map(({ error }) => error)).toEqual([null, null, null, null]);
  expect(await reportsOf(user.id)).toMatchObject([{ body: 'Buy this', repeats: 3 }]);
});

test('no one reports a finder of another account, or without an account', async () => {
  const { user, conversationId } = await anOwnerWithFinder();
  const other = await anOwnerWithFinder();
  const about = { conversation_id_param: conversationId, kind_param: 'other', body_param: '' };
  expect(await other.client.rpc('report_finder', about)).toMatchObject({ status: 404 });
  expect((await web.client().rpc('report_finder', about)).status).toBe(401);
  expect(await reportsOf(user.id)).toEqual([]);
  expect(await reportsOf(other.user.id)).toEqual([]);
});

test('a report for a reason that there is not, or with a long text, is refused and changes nothing', async () => {
  const { user, report } = await anOwnerWithFinder();
  expect(await report('planted', '')).toMatchObject({ status: 400, error: { code: '22023' } });
  expect(await report('other', 'x'.repeat(501))).toMatchObject({ status: 400, error: { code: '22023' } });
  expect(await reportsOf(user.id)).toEqual([]);
});

test('an account can send ten reports a day', async () => {
  const { user, report } = await anOwnerWithFinder();
  const statuses: number[] = [];
  for (let at = 0; at < 11; at += 1) statuses.push((await report('other', `${at}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429]);
  expect(await reportsOf(user.id)).toHaveLength(10);
});

test('a report outlives its conversation, and not its account', async () => {
  const { user, client, report, conversationId } = await anOwnerWithFinder();
  await report('harassment', 'They know where I live.');
  await client.from('conversations').delete().eq('id', conversationId).throwOnError();
  expect(await reportsOf(user.id)).toMatchObject([{ body: 'They know where I live.', conversation_id: null }]);
  await client.rpc('delete_my_account').throwOnError();
  expect(await database.query("select from internal.reports where body = 'They know where I live.'")).toEqual([]);
});

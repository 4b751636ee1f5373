import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database);
const JSON_WANTED = { headers: { Accept: 'application/json' } };

interface Kept {
  readonly body: string;
  readonly conversation_id: string;
}

async function kept({ id }: TestItem): Promise<Kept[]> {
  return database.query<Kept>(
    'select body, conversation_id from public.messages where item_id = $1 order by created_at',
    [id],
  );
}

test('a message without a script: trimmed, kept, and the page that follows says so', async () => {
  const item = await createItem(database, owner);
  const response = await postForm(web, `/item/${item.qrId}/message`, { body: '  At the café.\r\nAsk for Noa \r\n' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(`/item/${item.qrId}?sent=1#message`);
  expect((await kept(item)).map(({ body }) => body)).toEqual(['At the café.\nAsk for Noa']);
  const { html } = await readDocument(await web.request(`/item/${item.qrId}?sent=1`));
  // With the script, its toast says so.
  const isSaid = />Anonymous message sent to owner</;
  expect(html).toMatch(isSaid);
  expect((await readDocument(await web.request(`/item/${item.qrId}`))).html).not.toMatch(isSaid);
});

test('messages of one browser about one item are one conversation; the key stays in its cookie', async () => {
  const item = await createItem(database, owner);
  const path = `/item/${item.qrId}/message`;
  const first = await postForm(web, path, { body: 'One' });
  const [cookie = '', ofSticker = ''] = first.headers.getSetCookie();
  expect(cookie).toMatch(/^reunite_finder_key=[\w-]{32}; Path=\/item\/tgt-[\w-]+; .*HttpOnly; SameSite=Lax$/);
  expect(ofSticker).toBe(cookie.replace('Path=/item/', 'Path=/'));
  const key = cookie.split(';')[0] ?? '';
  await postForm(web, path, { body: 'Two' }, { headers: { Cookie: key } });
  await postForm(web, path, { body: 'Somebody else' });
  const [one, two, other] = await kept(item);
  expect(two?.conversation_id).toBe(one?.conversation_id);
  expect(other?.conversation_id).not.toBe(one?.conversation_id);
  const [stored] = await database.query<{ found: boolean }>(
    'select bool_or(finder_key_hash is not null) as found from public.conversations where item_id = $1',
    [item.id],
  );
  expect(stored?.found).toBe(true);
  expect((await first.text()) + first.headers.get('location')).not.toContain(key.split('=')[1]);
});

test('on a public server the cookie travels over https only', async () => {
  const publicWeb = await startTestServer(database, { environment: { PUBLIC_URL: 'https://reunite.test' } });
  const item = await createItem(database, owner);
  const response = await postForm(publicWeb, `/item/${item.qrId}/message`, { body: 'Found' });
  expect(response.headers.get('set-cookie')).toContain('; Secure');
  const page = await publicWeb.request(`/item/${item.qrId}`);
  expect(page.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
  expect(page.headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
});

test('the same message id sent again is the same message, however often and whatever the limit', async () => {
  const item = await createItem(database, owner);
  const path = `/item/${item.qrId}/message`;
  const fields = { body: 'Only once', message_id: randomUUID() };
  const address = '203.0.113.30';
  const outcomes = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const response = await postForm(web, path, fields, { ...JSON_WANTED, address });
    outcomes.push([response.status, await response.json()]);
  }
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  expect(outcomes[0]?.[0]).toBe(200);
  expect(outcomes[0]?.[1]).toMatchObject({ message_id: fields.message_id });
  expect(await kept(item)).toHaveLength(1);
});

test('250 code points are a message, 251 are not, and what was typed comes back with the reason', async () => {
  const item = await createItem(database, owner);
  const path = `/item/${item.qrId}/message`;
  expect((await postForm(web, path, { body: '🔑'.repeat(250) })).status).toBe(303);
  const refused = await readDocument(await postForm(web, path, { body: `<&${'é'.repeat(249)}` }));
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('Keep your message to 250 characters or fewer');
  expect(refused.html).toContain(`&lt;&amp;${'é'.repeat(249)}</textarea>`);
  expect(refused.html).toContain('aria-invalid="true"');
  expect(await kept(item)).toHaveLength(1);
});

test.each(['', '   ', '\r\n\t'])('nothing to say is no message: %j', async (body) => {
  const item = await createItem(database, owner);
  const response = await postForm(web, `/item/${item.qrId}/message`, { body }, JSON_WANTED);
  expect(response.status).toBe(422);
  expect(await response.json()).toEqual({ problem: 'Write a message first' });
  expect(await kept(item)).toHaveLength(0);
});

test('an owner who takes no messages gets none [D32]', async () => {
  const item = await createItem(database, owner);
  await database.query('update public.items set message_enabled = false where id = $1', [item.id]);
  const response = await readDocument(await postForm(web, `/item/${item.qrId}/message`, { body: 'Hello' }));
  expect(response.status).toBe(403);
  expect(response.html).toContain('This owner isn’t accepting messages for this item.');
  expect(await kept(item)).toHaveLength(0);
});

test('one address can send five messages an hour about one tag, then gets a time to wait', async () => {
  const item = await createItem(database, owner);
  const address = '203.0.113.31';
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    statuses.push((await postForm(web, `/item/${item.qrId}/message`, { body: `Number ${index}` }, { address })).status);
  }
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
  const refused = await readDocument(await postForm(web, `/item/${item.qrId}/message`, { body: 'Again' }, { address }));
  // Somebody else on the network may have sent them.
  expect(refused.html).toContain(
    'Too many messages came from you, or from others on this network. Please wait a while, or use another way on this page.',
  );
  await database.query(
    'update public.items set (whatsapp_enabled, call_enabled, email_enabled) = (false, false, false) where id = $1',
    [item.id],
  );
  const onlyWay = async () =>
    (await readDocument(await postForm(web, `/item/${item.qrId}/message`, { body: 'Again' }, { address }))).html;
  await expect.poll(onlyWay).toContain('on this network. Please wait a while.');
  expect(await kept(item)).toHaveLength(5);
  const other = await createItem(database, owner);
  expect((await postForm(web, `/item/${other.qrId}/message`, { body: 'Another tag' }, { address })).status).toBe(303);
});

test('bad input is refused in the requested format', async () => {
  const item = await createItem(database, owner);
  const path = `/item/${item.qrId}/message`;
  const badId = await postForm(web, path, { body: 'x', message_id: 'not-a-uuid' }, JSON_WANTED);
  expect([badId.status, await badId.json()]).toEqual([400, { problem: 'An error occurred' }]);
  const nul = await postForm(web, path, { body: 'a\0b' }, JSON_WANTED);
  expect([nul.status, await nul.json()]).toEqual([400, { problem: 'An error occurred' }]);
  const foreign = await postForm(web, path, { body: 'x' }, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  expect(foreign.status).toBe(403);
  const badKey = await postForm(web, path, { body: 'Fine' }, { headers: { Cookie: 'reunite_finder_key=short' } });
  expect(badKey.status).toBe(303);
  expect(await kept(item)).toHaveLength(1);
});

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { actAs } from '#tests/support/act-as.ts';
import { beginUntilLocked } from '#tests/support/begin-until-locked.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer, type TestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';
import { sendReply } from './support/send-reply.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Levi' });

const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

/** A finder writes; returns the cookie of that browser. */
async function write(item: TestItem, body: string, cookie = ''): Promise<string> {
  const response = await postForm(web, `/item/${item.qrId}/message`, { body }, { headers: { Cookie: cookie } });
  expect(response.status).toBe(303);
  return cookieOf(response);
}

interface ShownConversation {
  readonly messages: readonly { readonly body: string }[];
  readonly return_code: string;
  readonly return_path: string;
  readonly has_others: boolean;
}

/** The conversation as the browser with this cookie reads it. */
async function read(item: TestItem, cookie: string, server: TestServer = web): Promise<ShownConversation | null> {
  const response = await server.request(`/item/${item.qrId}/conversation`, { headers: { Cookie: cookie } });
  return (await response.json()) as ShownConversation | null;
}

async function passOf(item: TestItem, cookie: string): Promise<ShownConversation> {
  const shown = await read(item, cookie);
  if (shown === null) throw new Error('The browser has no conversation.');
  return shown;
}

const enter = (item: TestItem, return_code: string, options: { address?: string; Cookie?: string } = {}) => {
  const { address = anAddress(), Cookie = '' } = options;
  return postForm(web, `/item/${item.qrId}/back`, { return_code }, { address, headers: { Cookie } });
};

/** A browser sends this for an address that its user entered, or that another program opened. */
const OPENED = { 'Sec-Fetch-Site': 'none' };

const bodiesOf = (shown: ShownConversation | null) => shown?.messages.map(({ body }) => body) ?? null;

test('a browser that lost its cookie is back with the return code, as it is typed by hand, and reads the reply', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, 'At the café');
  const { html } = await readDocument(await web.request(`/item/${item.qrId}`, { headers: { Cookie: cookie } }));
  const { return_code, return_path } = await passOf(item, cookie);
  expect(return_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4} [0-9A-HJKMNP-TV-Z]{4}$/);
  expect(html).toContain(`>${return_code}</span>`);
  expect(html).toContain(`href="${return_path}"`);
  await sendReply(database, owner, item, 'Which one?');

  const typed = return_code.toLowerCase().replace(' ', '-').replaceAll('0', 'o').replaceAll('1', 'l');
  const entered = await enter(item, typed);
  expect(entered.status).toBe(303);
  expect(entered.headers.get('location')).toBe(`/item/${item.qrId}#conversation`);
  expect(entered.headers.get('cache-control')).toBe('no-store');
  const another = cookieOf(entered);
  expect(bodiesOf(await read(item, another))).toEqual(['At the café', 'Which one?']);
  // It is the same conversation for both, and both see the same code.
  await write(item, 'The one at the corner', another);
  expect(bodiesOf(await read(item, cookie))).toEqual(['At the café', 'Which one?', 'The one at the corner']);
  expect((await passOf(item, another)).return_code).toBe(return_code);
  for (const path of [`/item/${item.qrId}`, `/${item.qrId}`]) {
    expect(entered.headers.getSetCookie().filter((set) => set.includes(`Path=${path};`))).toHaveLength(1);
  }
});

test('a finder who is back by the code, after a reply, has the messages of a conversation and not those of a stranger [D32]', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, 'At the café');
  await sendReply(database, owner, item, 'Which one?');
  const back = cookieOf(await enter(item, (await passOf(item, cookie)).return_code));
  const address = anAddress();
  const post = (body: string, Cookie: string) =>
    postForm(web, `/item/${item.qrId}/message`, { body }, { address, headers: { Cookie } });
  const statuses: number[] = [];
  for (let count = 0; count < 30; count += 1) statuses.push((await post(`back ${count}`, back)).status);
  expect(statuses).toEqual(Array(30).fill(303));
  // Both browsers have the sixty of the conversation together.
  for (let count = 30; count < 60; count += 1) expect((await post(`first ${count}`, cookie)).status).toBe(303);
  expect([(await post('back', back)).status, (await post('first', cookie)).status]).toEqual([429, 429]);
});

test('a private link opens the conversation in another browser, and leaves no trace of itself', async () => {
  const item = await createItem(database, owner);
  const { return_path } = await passOf(item, await write(item, 'At the café'));
  const opened = await web.request(return_path, { headers: OPENED });
  expect(opened.status).toBe(303);
  expect(opened.headers.get('location')).toBe(`/item/${item.qrId}#conversation`);
  expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
  expect(opened.headers.get('cache-control')).toBe('no-store');
  const secret = return_path.split('/').at(-1) ?? 'missing';
  expect(await opened.text()).not.toContain(secret);
  expect(bodiesOf(await read(item, cookieOf(opened)))).toEqual(['At the café']);
  expect(web.logged.join()).not.toContain(secret);

  const other = await createItem(database, owner);
  for (const path of [
    return_path.replace(item.qrId, other.qrId),
    `${return_path}x`,
    `/item/${item.qrId}/back/${'x'.repeat(43)}`,
    `/item/${item.qrId}/back/short`,
  ]) {
    const refused = await readDocument(await web.request(path, { headers: OPENED }));
    expect(refused.status, path).toBe(404);
    expect(refused.html).toContain('We can’t find a conversation about this item with that code or link.');
    expect(refused.headers.get('set-cookie')).toBeNull();
  }
});

test('a private link on another site, or in a browser that does not say so, waits for a button', async () => {
  const item = await createItem(database, owner);
  const { return_path } = await passOf(item, await write(item, 'From someone else'));
  const own = await write(item, 'My own');
  for (const site of ['cross-site', 'same-site', null]) {
    const headers = { Cookie: own, ...(site !== null && { 'Sec-Fetch-Site': site }) };
    const waiting = await readDocument(await web.request(return_path, { headers }));
    expect(waiting.status).toBe(200);
    expect(waiting.headers.get('set-cookie')).toBeNull();
    expect(waiting.html).toContain('Only open this conversation if it’s yours.');
    expect(waiting.html).not.toContain('From someone else');
  }
  const fields = { finder_key: return_path.split('/').at(-1) ?? '' };
  const path = `/item/${item.qrId}/back`;
  const posted = await postForm(web, path, fields, { headers: { Cookie: own } });
  expect(posted.status).toBe(303);
  expect(bodiesOf(await read(item, cookieOf(posted)))).toEqual(['From someone else']);
  expect((await postForm(web, path, { finder_key: 'x'.repeat(43) })).status).toBe(422);
  const foreign = await postForm(web, path, fields, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
});

test('only posts of our own pages are accepted, and a code opens nothing at another item', async () => {
  const item = await createItem(database, owner);
  const other = await createItem(database, owner);
  const { return_code } = await passOf(item, await write(item, 'At the café'));
  const foreign = await postForm(
    web,
    `/item/${item.qrId}/back`,
    { return_code },
    { headers: { 'Sec-Fetch-Site': 'cross-site' } },
  );
  expect(foreign.status).toBe(403);
  expect(foreign.headers.get('set-cookie')).toBeNull();
  const elsewhere = await enter(other, return_code);
  expect(elsewhere.status).toBe(422);
  expect((await readDocument(elsewhere)).html).toContain(
    'We can’t find a conversation about this item with that code or link.',
  );
  const incomplete = await readDocument(await enter(item, 'ABC'));
  expect(incomplete.status).toBe(422);
  expect(incomplete.html).toContain('A return code has 8 letters and numbers.');
  // The form comes first, with its problem.
  expect(incomplete.html.indexOf('return-code-error')).toBeLessThan(incomplete.html.indexOf('Contact Dana'));
  expect(incomplete.html).toContain('value="ABC"');
  const form = await readDocument(await web.request(`/item/${item.qrId}/back`));
  expect(form.html).toContain(`action="/item/${item.qrId}/back"`);
  expect(form.headers.get('set-cookie')).toBeNull();
  const nowhere = await postForm(web, `/item/${createTagCode()}/back`, { return_code });
  expect(nowhere.status).toBe(404);
});

test('strangers who guess run out of attempts, and the finder with the right code does not', async () => {
  const item = await createItem(database, owner);
  const { return_code } = await passOf(item, await write(item, 'At the café'));
  const stranger = anAddress();
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await enter(item, 'ZZZZZZZZ', { address: stranger })).status).toBe(422);
  }
  const refused = await enter(item, return_code, { address: stranger });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
  expect(refused.headers.get('set-cookie')).toBeNull();
  expect((await enter(item, return_code)).status).toBe(303);
});

test('while an item is being guessed at, each address still has two attempts, and right codes use none', async () => {
  const item = await createItem(database, owner);
  const { return_code } = await passOf(item, await write(item, 'At the café'));
  const environment = { LIMITS: 'return_codes_per_item=3/86400' };
  const guarded = await startTestServer(database, { secrets: web.secrets, environment });
  const enterThere = (code: string, address: string) =>
    postForm(guarded, `/item/${item.qrId}/back`, { return_code: code }, { address });
  for (let guess = 0; guess < 3; guess += 1) {
    expect((await enterThere('ZZZZZZZZ', anAddress())).status).toBe(422);
  }
  const finder = anAddress();
  for (let entry = 0; entry < 4; entry += 1) expect((await enterThere(return_code, finder)).status).toBe(303);
  const guesser = anAddress();
  for (const status of [422, 422, 429]) expect((await enterThere('YYYYYYYY', guesser)).status).toBe(status);
  expect((await enterThere(return_code, finder)).status).toBe(303);
});

test('of many guesses at once, no more are compared than one after another', async () => {
  const item = await createItem(database, owner);
  await write(item, 'At the café');
  const address = anAddress();
  const guesses = await Promise.all(Array.from({ length: 15 }, () => enter(item, 'ZZZZZZZZ', { address })));
  expect(guesses.filter(({ status }) => status === 422)).toHaveLength(10);
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5);
});

test('a phone that several finders share keeps the conversation of each', async () => {
  const item = await createItem(database, owner);
  const first = await write(item, 'From the first');
  const second = await passOf(item, await write(item, 'From the second'));
  const both = cookieOf(await enter(item, second.return_code, { Cookie: first }));
  expect(await read(item, both)).toMatchObject({ messages: [{ body: 'From the second' }], has_others: true });
  const { html } = await readDocument(await web.request(`/item/${item.qrId}`, { headers: { Cookie: both } }));
  expect(html).toMatch(/<form data-others="" action/);

  const switched = await postForm(web, `/item/${item.qrId}/other`, {}, { headers: { Cookie: both } });
  expect(switched.status).toBe(303);
  expect(bodiesOf(await read(item, cookieOf(switched)))).toEqual(['From the first']);
  // A message goes to the conversation that is shown.
  await write(item, 'Again from the first', cookieOf(switched));
  expect(bodiesOf(await read(item, first))).toEqual(['From the first', 'Again from the first']);
  expect((await passOf(item, first)).has_others).toBe(false);
});

test('the owner sees the code that the finder has, and no other account does', async () => {
  const { client, user } = await registerOwner(web, {});
  const qrId = createTagCode();
  const created = await client
    .from('items')
    .insert({ qr_id: qrId, user_id: user.id, item_type: 'keys', item_name: 'Keys' })
    .select('id')
    .single();
  expect(created.error).toBeNull();
  const item = { id: created.data?.id ?? '', qrId };
  const sent = await web.client().rpc('send_message', {
    qr_id_param: qrId,
    body_param: 'By another program',
    finder_key_param: 'the-key-of-another-program',
  });
  expect(sent.error).toBeNull();
  // The owner may look first: the code is valid then.
  const listed = await client.rpc('list_return_codes', { item_id_param: item.id });
  expect(listed.error).toBeNull();
  expect(listed.data).toEqual([
    { conversation_id: expect.any(String), return_code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/) },
  ]);
  const entered = await postForm(web, `/item/${qrId}/back`, { return_code: listed.data[0].return_code });
  expect(entered.status).toBe(303);
  const shown = await web.request(`/item/${qrId}/conversation`, { headers: { Cookie: cookieOf(entered) } });
  expect(await shown.json()).toMatchObject({ messages: [{ body: 'By another program' }] });

  const { client: stranger } = await registerOwner(web, {});
  expect((await stranger.rpc('list_return_codes', { item_id_param: item.id })).data).toEqual([]);
  expect((await web.client().rpc('list_return_codes', { item_id_param: item.id })).error).not.toBeNull();
});

test('return codes can be listed while the owner deletes the conversation on another screen', async () => {
  const client = web.client({ token: await web.token(owner.caller.claims) });
  const item = await createItem(database, owner);
  const sent = await web.client().rpc('send_message', { qr_id_param: item.qrId, body_param: 'By another program' });
  expect(sent.error).toBeNull();
  const deleting = await actAs(database, owner.caller, async (other) => {
    await other.query('delete from public.conversations where item_id = $1', [item.id]);
    const list = () => client.rpc('list_return_codes', { item_id_param: item.id });
    return beginUntilLocked(database, list, '%set_return_keys%');
  });
  expect((await deleting.outcome).error).toBeNull();
});

test('the database has neither the code nor its key, and without the secret nothing to compare a guess with', async () => {
  const item = await createItem(database, owner);
  const { return_code, return_path } = await passOf(item, await write(item, 'At the café'));
  const code = return_code.replace(' ', '');
  const [row] = await database.query<{ everything: string }>(
    `select string_agg(to_jsonb(key)::text || to_jsonb(conversation)::text || to_jsonb(message)::text, '') as everything
       from public.conversations as conversation
       join internal.return_keys as key on key.conversation_id = conversation.id
       join public.messages as message on message.conversation_id = conversation.id
       where conversation.item_id = $1`,
    [item.id],
  );
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  expect(row?.everything).toContain(sha256(return_path.split('/').at(-1) ?? ''));
  for (const text of [
    code,
    return_code,
    return_path.split('/').at(-1) ?? 'missing',
    sha256(code),
    sha256(return_code),
  ]) {
    expect(row?.everything).not.toContain(text);
  }
});

test('with other secrets, browsers that are back stay, and the new code works', async () => {
  const item = await createItem(database, owner);
  const before = await passOf(item, await write(item, 'At the café'));
  const back = cookieOf(await enter(item, before.return_code));
  const changed = await startTestServer(database);
  const after = await read(item, back, changed);
  expect(bodiesOf(after)).toEqual(['At the café']);
  expect(after?.return_code).not.toBe(before.return_code);
  const fields = { return_code: after?.return_code ?? '' };
  expect((await postForm(changed, `/item/${item.qrId}/back`, fields)).status).toBe(303);
  const old = { return_code: before.return_code };
  expect((await postForm(changed, `/item/${item.qrId}/back`, old)).status).toBe(422);
});

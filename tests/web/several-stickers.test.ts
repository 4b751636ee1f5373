import { beforeEach, expect, test } from 'vitest';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

// The clock is stopped: pages are dropped because of notifications and not because of their age.
const database = await createTestDatabase();
const server = await startTestServer(database, { clock: createTestClock({ stands: true }) });
const owner = await registerOwner(server, { data: { full_name: 'Dana Levi' } });
const visitor = server.client();

/** An item of the owner's, its own code, and two further ones in the order in which they were attached. */
let item: { readonly id: string; readonly own: string; readonly further: readonly [string, string] };

beforeEach(async () => {
  const own = await issueTagCode(database);
  const { data } = await owner.client
    .from('items')
    .insert({ qr_id: own, user_id: owner.user.id, item_type: 'suitcase', item_name: 'Blue suitcase' })
    .select('id')
    .single()
    .throwOnError();
  const further = [await issueTagCode(database), createTagCode()] as const;
  for (const code of further) expect(await attach(code, data.id)).toBe('ok');
  item = { id: data.id, own, further };
});

const codeOf = ({ error }: { readonly error: { readonly code: string } | null }) => error?.code ?? 'ok';
const attach = async (qr_id_param: string, item_id_param: string, client = owner.client) =>
  codeOf(await client.rpc('attach_qr_code', { qr_id_param, item_id_param }));
const detach = async (qr_id_param: string) => codeOf(await owner.client.rpc('detach_qr_code', { qr_id_param }));
const find = async (qr_id_param: string) => (await visitor.rpc('find_item', { qr_id_param }).throwOnError()).data;
const ownCodeOf = async (id: string) =>
  (await owner.client.from('items').select('qr_id').eq('id', id).single().throwOnError()).data.qr_id;
const htmlOf = async (path: string) => (await readDocument(await server.request(path))).html;
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

test('each sticker leads to the item, at its own address and with its own typed code', async () => {
  const shown = await find(item.own);
  expect(shown).toMatchObject({ item_name: 'Blue suitcase', owner_first_name: 'Dana' });
  for (const code of item.further) {
    expect(await find(code)).toEqual(shown);
    const response = await server.request(`/${code}`);
    expect(response.status).toBe(200);
    const { html } = await readDocument(response);
    expect(html).toContain('Blue suitcase');
    expect(html).toContain(`/item/${code}/message`);
    expect(html).toContain(typedCodeOf(code));
    const { data: found } = await visitor.rpc('find_typed_code', { typed_code_param: typedCodeOf(code) });
    expect(found).toBe(code);
    const { data: holder } = await owner.client.rpc('get_qr_code_owner', { qr_id_param: code });
    expect(holder).toBe(owner.user.id);
  }
});

test('what changes about the item shows at all of its stickers', async () => {
  const paths = [item.own, ...item.further].flatMap((code) => [`/${code}`, `/item/${code}`]);
  for (const path of paths) expect(await htmlOf(path)).toContain('Blue suitcase');
  await owner.client.from('items').update({ item_name: 'Red suitcase' }).eq('id', item.id).throwOnError();
  for (const path of paths) await expect.poll(() => htmlOf(path), { interval: 20 }).toContain('Red suitcase');
  await owner.client.from('profiles').update({ full_name: 'Noa Levi' }).eq('id', owner.user.id).throwOnError();
  for (const path of paths) await expect.poll(() => htmlOf(path), { interval: 20 }).toContain('Noa');
  await owner.client.from('profiles').update({ full_name: 'Dana Levi' }).eq('id', owner.user.id).throwOnError();
});

test('a message and a contact opening by a further sticker reach the item; its return code opens at each sticker', async () => {
  const [sticker, another] = item.further;
  const sent = await postForm(server, `/item/${sticker}/message`, { body: 'At platform 3' });
  expect(sent.headers.get('location')).toBe(`/item/${sticker}?sent=1#message`);
  const messages = await owner.client.from('messages').select('body').eq('item_id', item.id).throwOnError();
  expect(messages.data).toEqual([{ body: 'At platform 3' }]);
  expect((await postForm(server, `/item/${sticker}/contact`, { channel: 'call' })).headers.get('location')).toMatch(
    /^tel:/,
  );
  const openings = await owner.client.from('channel_openings').select('channel').eq('item_id', item.id).throwOnError();
  expect(openings.data).toEqual([{ channel: 'call' }]);

  const read = async (code: string, cookie: string) =>
    (await server.request(`/item/${code}/conversation`, { headers: { Cookie: cookie } })).json();
  const conversation = await read(sticker, cookieOf(sent));
  expect(conversation).toMatchObject({ messages: [{ body: 'At platform 3' }] });
  const { data: passes } = await owner.client.rpc('list_return_codes', { item_id_param: item.id }).throwOnError();
  expect(passes).toMatchObject([{ return_code: conversation.return_code.replace(' ', '') }]);
  for (const code of [sticker, another, item.own]) {
    const entered = await postForm(server, `/item/${code}/back`, { return_code: conversation.return_code });
    expect(entered.headers.get('location')).toBe(`/item/${code}#conversation`);
    expect(await read(code, cookieOf(entered))).toMatchObject({ messages: [{ body: 'At platform 3' }] });
  }
  // The finder learns no other code of the item: this one can be taken away from them.
  const finder_key_param = cookieOf(sent).split('=')[1];
  const { data: shownToFinder } = await visitor.rpc('read_conversation', { qr_id_param: sticker, finder_key_param });
  expect(shownToFinder).toMatchObject({ messages: [{ body: 'At platform 3' }] });
  expect([item.own, another].filter((code) => JSON.stringify(shownToFinder).includes(code))).toEqual([]);
  // One key for all stickers, so that a page that is polled writes nothing.
  const keys = await database.query(
    `select from internal.return_keys join public.conversations on id = conversation_id where item_id = $1`,
    [item.id],
  );
  expect(keys).toHaveLength(1);
});

test('a sticker that was removed leads nowhere, and is free if the service issued it', async () => {
  const [issued, ownPrint] = item.further;
  expect(await htmlOf(`/item/${issued}`)).toContain('Blue suitcase');
  expect([await detach(issued), await detach(ownPrint), await detach(issued)]).toEqual(['ok', 'ok', 'PT404']);
  expect([await find(issued), await find(ownPrint)]).toEqual([null, null]);
  await expect.poll(() => htmlOf(`/item/${issued}`), { interval: 20 }).toContain('No item is tagged with this code.');
  expect(
    await database.query('select qr_id, owner_id from public.qr_codes where qr_id = any ($1)', [item.further]),
  ).toEqual([{ qr_id: issued, owner_id: null }]);
  expect(await detach(item.own)).toBe('PT409');
  expect(await find(item.own)).not.toBeNull();
});

test('without its own code an item gets the further one that it has had for the longest time', async () => {
  const [first, second] = item.further;
  expect(await htmlOf(`/item/${item.own}`)).toContain('Blue suitcase');
  expect(await detach(item.own)).toBe('ok');
  expect(await ownCodeOf(item.id)).toBe(first);
  expect([await find(item.own), await find(first), await find(second)]).toEqual([
    null,
    expect.objectContaining({ item_name: 'Blue suitcase' }),
    expect.objectContaining({ item_name: 'Blue suitcase' }),
  ]);
  await expect.poll(() => htmlOf(`/item/${item.own}`), { interval: 20 }).toContain('No item is tagged with this code.');
  expect([await detach(first), await ownCodeOf(item.id), await detach(second)]).toEqual(['ok', second, 'PT409']);
});

test('without its own code an item gets a further one that works rather than a void one', async () => {
  const [first, second] = item.further;
  const operator = server.client({ key: server.secrets.secretKey });
  const order = { qr_id_param: first, reason_param: 'Stolen', claimed_too: true };
  expect((await operator.rpc('void_code', order)).data).toBe('voided');
  expect([await detach(item.own), await ownCodeOf(item.id)]).toEqual(['ok', second]);
});

test('a deleted item frees all of its codes', async () => {
  await owner.client.from('items').delete().eq('id', item.id).throwOnError();
  const rows = await database.query(
    'select qr_id, owner_id, claimed_at, stands_for from public.qr_codes where qr_id = any ($1) order by qr_id = $2',
    [[item.own, ...item.further], item.own],
  );
  expect(rows).toEqual(
    [item.further[0], item.own].map((qr_id) => ({ qr_id, owner_id: null, claimed_at: null, stands_for: null })),
  );
});

test('a code leads to one item only, and to none of another account', async () => {
  const [sticker] = item.further;
  const other = await registerOwner(server);
  const tag = async (client = owner.client, user = owner.user) =>
    codeOf(
      await client.from('items').insert({ qr_id: sticker, user_id: user.id, item_type: 'keys', item_name: 'Keys' }),
    );
  expect([await tag(), await tag(other.client, other.user)]).toEqual(['23505', '23505']);
  const [elsewhere] = await database.query<{ id: string }>(
    `insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'bag', 'Bag') returning id`,
    [createTagCode(), owner.user.id],
  );
  expect(await attach(sticker, elsewhere?.id ?? '')).toBe('23505');
  expect(await attach(item.own, elsewhere?.id ?? '')).toBe('23505');
  expect(await attach(createTagCode(), item.id, other.client)).toBe('PT404');
  // Again is not an error: the response to the first request may have been lost.
  expect(await attach(sticker, item.id)).toBe('ok');
});

test('the database lets no code stand for a further code, for another account’s, or be both', async () => {
  const [first, second] = item.further;
  const other = await registerOwner(server);
  for (const [statement, values] of [
    ['update public.qr_codes set stands_for = $1 where qr_id = $2', [first, second]],
    ['update public.qr_codes set owner_id = $1 where qr_id = $2', [other.user.id, first]],
    ['update public.qr_codes set stands_for = $1 where qr_id = $2', [first, item.own]],
    ['update public.items set qr_id = $1 where id = $2', [first, item.id]],
  ] as const) {
    await expect(database.query(statement, [...values])).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  }
});

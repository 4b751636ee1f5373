import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
// Its clock is stopped, so that nothing cached expires by itself.
const clock = createTestClock({ stands: true });
const web = await startTestServer(database, { clock, environment: { CLAIMABLE_CODES: 'issued' } });
const operator = web.client({ key: web.secrets.secretKey });
const { client, user } = await registerOwner(web);

async function voidedItem() {
  const { qrId } = await createItem(database, user, { qrId: await issueTagCode(database) });
  expect((await web.request(`/${qrId}`)).status).toBe(200);
  const order = { qr_id_param: qrId, reason_param: 'Printed twice', claimed_too: true };
  expect((await operator.rpc('void_code', order)).data).toBe('voided');
  await expect.poll(async () => (await web.request(`/${qrId}`)).status, { interval: 20 }).toBe(404);
  return qrId;
}

async function pageOf(path: string) {
  const { status, html, headers } = await readDocument(await web.request(path));
  return { status, html, etag: headers.get('etag'), location: headers.get('location') };
}

test('a visitor gets one page for a void code, a code of another service, and one that means nothing', async () => {
  const withItem = await voidedItem();
  const free = await issueTagCode(database);
  await operator.rpc('void_code', { qr_id_param: free, reason_param: 'Stolen' });
  const unknown = await pageOf(`/${createTagCode()}`);
  expect(unknown).toMatchObject({ status: 404, location: null });
  expect(unknown.html).toContain('This sticker isn’t in use');
  expect(unknown.html).toContain('leave it where its owner will look');
  for (const code of [withItem, free, createTagCode(), 'tgt-short']) {
    for (const path of [`/${code}`, `/item/${code}`, `/?code=${code}`])
      expect(await pageOf(path), path).toEqual(unknown);
  }

  const typed = (code: string) => pageOf(`/f/${typedCodeOf(code)}`);
  const unknownTyped = await typed(createTagCode());
  expect(unknownTyped.html).toContain('No sticker in use has this code.');
  for (const code of [withItem, free]) {
    const { status, html } = await typed(code);
    expect(status).toBe(404);
    expect(html.replaceAll(typedCodeOf(code), '')).toBe(unknownTyped.html.replaceAll(/value="[^"]*"/g, 'value=""'));
  }
});

test('a browser that seems to be signed in gets the app at a typed code, which is the same for a void code', async () => {
  const Cookie = 'reunite_signed_in=1';
  const void_ = await voidedItem();
  const { qrId: sound } = await createItem(database, user, { qrId: await issueTagCode(database) });
  const pages = [];
  for (const code of [void_, sound, createTagCode()]) {
    const typed = typedCodeOf(code);
    const { status, html, headers } = await readDocument(await web.request(`/f/${typed}`, { headers: { Cookie } }));
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const nonce = /nonce="([^"]*)"/.exec(html)?.[1] ?? expect.unreachable();
    pages.push({ status, html: html.replaceAll(nonce, '').replaceAll(typed, '') });
  }
  expect(pages[0]).toMatchObject({ status: 200, html: expect.stringContaining('entry.client') });
  expect(pages[1]).toEqual(pages[0]);
  expect(pages[2]).toEqual(pages[0]);
  const mistyped = await web.request('/f/3DT6-Y0E3-TXX7-GGAE', { headers: { Cookie } });
  expect(mistyped.status).toBe(422);
});

test('the forms of a page that is open do nothing once its code is void', async () => {
  const code = await voidedItem();
  const sent = await postForm(web, `/item/${code}/message`, { body: 'Found it' });
  expect(sent.status).toBe(404);
  expect((await postForm(web, `/item/${code}/contact`, { channel: 'call' })).status).toBe(404);
  expect(await database.query('select 1 from public.messages where owner_id = $1', [user.id])).toEqual([]);
});

test('the owner reads the reason, at the item and at its typed code, and no one else does', async () => {
  const code = await voidedItem();
  const { data: item } = await client
    .from('items')
    .select('item_name, qr_codes(void_reason)')
    .eq('qr_id', code)
    .single();
  expect(item).toMatchObject({ qr_codes: { void_reason: 'Printed twice' } });
  const typed = { typed_code_param: typedCodeOf(code) };
  expect((await client.rpc('find_typed_code', typed)).data).toBe(code);
  const { client: stranger } = await registerOwner(web);
  expect((await stranger.rpc('find_typed_code', typed)).data).toBeNull();
  expect((await stranger.from('qr_codes').select().eq('qr_id', code)).data).toEqual([]);
  const exported = await client.rpc('export_my_data');
  expect(exported.data.codes).toContainEqual(expect.objectContaining({ qr_id: code, void_reason: 'Printed twice' }));
});

test('questions about free codes count as misses', async () => {
  const address = '203.0.113.77';
  const visitor = web.client({ address });
  const outcomes = [];
  for (let asked = 0; asked < 62; asked += 1) {
    const { status } = await visitor.rpc('can_claim_code', { qr_id_param: `tgt-guess-${asked}` });
    outcomes.push(status);
  }
  expect(outcomes.slice(0, 60)).toEqual(Array(60).fill(200));
  expect(outcomes.at(-1)).toBe(429);
});

test('a scan of an issued sticker leads to the sign-up', async () => {
  const code = await issueTagCode(database);
  expect(await pageOf(`/${code}`)).toMatchObject({ status: 302, location: `/auth/${code}` });
});

test('an owner without a sticker gets a code of the service', async () => {
  const { data: code } = await client.rpc('claim_new_code');
  const item = { qr_id: code, user_id: user.id, item_type: 'keys', item_name: 'Keys' };
  expect((await client.from('items').insert(item)).error).toBeNull();
  const own = { ...item, qr_id: createTagCode() };
  expect((await client.from('items').insert(own)).error?.code).toBe('22023');
});

test('a request for a code that is sent again gets the same code, and another account with its id gets its own', async () => {
  const request = { request_id_param: randomUUID() };
  const claim = async (by = client) => (await by.rpc('claim_new_code', request).throwOnError()).data as string;
  const codes = new Set(await Promise.all(Array.from({ length: 4 }, () => claim())));
  expect(codes.size).toBe(1);
  const [code = ''] = codes;
  expect(await claim((await registerOwner(web)).client)).not.toBe(code);
  const { data: another } = await client.rpc('claim_new_code').throwOnError();
  expect(another).not.toBe(code);
});

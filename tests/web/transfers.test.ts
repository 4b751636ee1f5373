import { beforeEach, expect, test } from 'vitest';
import { aPicture, aPictureName } from '#tests/contract/storage/support/pictures.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

// The clock is stopped: pages are dropped because of notifications and not because of their age.
const database = await createTestDatabase();
// Without SMS a registration proves its address.
const delivery = catchDelivery({ hasSms: false });
const server = await startTestServer(database, { clock: createTestClock({ stands: true }), delivery });
const operator = server.client({ key: server.secrets.secretKey });
const visitor = server.client();

let giver: RegisteredOwner;
let receiver: RegisteredOwner;
/** An item of the giver's, its own code, and a further one. */
let item: { readonly id: string; readonly own: string; readonly further: string };

/** Accepts an offer and deletes the giver's record in one transaction, before any email can be sent. */
async function acceptAndForget(id: string): Promise<void> {
  await database.query(`
    begin;
    select set_config('request.jwt.claims', '{"sub": "${receiver.user.id}", "role": "authenticated"}', true);
    select public.accept_offer('${id}');
    delete from public.items where id = '${item.id}' and given_at is not null;
    commit`);
}

beforeEach(async () => {
  giver = await registerOwner(server, { data: { full_name: 'Dana Levi' } });
  receiver = await registerOwner(server, { data: { full_name: 'Noa Cohen' } });
  const [own, further] = [await issueTagCode(database), createTagCode()];
  const { data } = await giver.client
    .from('items')
    .insert({
      qr_id: own,
      user_id: giver.user.id,
      item_type: 'suitcase',
      item_name: 'Blue suitcase',
      description: 'With a scratch',
      note_to_finders: 'Call Dana',
      reward: 'Danish pastry',
    })
    .select('id')
    .single()
    .throwOnError();
  await giver.client.rpc('attach_qr_code', { qr_id_param: further, item_id_param: data.id }).throwOnError();
  item = { id: data.id, own, further };
});

const codeOf = ({ error }: { readonly error: { readonly code: string } | null }) => error?.code ?? 'ok';
const offer = (email_param: string, item_id_param = item.id, client = giver.client) =>
  client.rpc('offer_item', { item_id_param, email_param });
const offerTo = async (email: string) => {
  const { data } = await offer(email).throwOnError();
  return (data as { id: string }).id;
};
const accept = (id: string, client = receiver.client) => client.rpc('accept_offer', { offer_id_param: id });
const decline = (id: string, client = receiver.client) => client.rpc('decline_offer', { offer_id_param: id });
const transfersOf = async ({ client }: RegisteredOwner) =>
  (await client.rpc('list_transfers').throwOnError()).data as {
    offers: Record<string, unknown>[];
    given: Record<string, unknown>[];
  };
const find = async (qr_id_param: string) => (await visitor.rpc('find_item', { qr_id_param }).throwOnError()).data;
const htmlOf = async (path: string) => (await readDocument(await server.request(path))).html;
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';
const conversationAt = async (code: string, cookie: string) =>
  (await server.request(`/item/${code}/conversation`, { headers: { Cookie: cookie } })).json();
const eventsOf = async ({ user }: RegisteredOwner) =>
  (
    await database.query<{ event: string }>(
      "select event from auth.audit_log where user_id = $1 and event like 'item_%' order by id",
      [user.id],
    )
  ).map(({ event }) => event);
/** Without the notices of account changes, which come at the same time. */
const mailsTo = (email: string) =>
  server.delivery.emails.filter(({ to, key }) => to === email && key?.startsWith('change:') !== true);

test('an accepted item is the new owner’s at once, with every code and its photo', async () => {
  const photo = aPictureName();
  await giver.client.storage.from('item-photos').upload(photo, await aPicture().jpeg().toBuffer());
  await giver.client
    .from('items')
    .update({ photo, lost_at: '2026-01-01T00:00:00Z', call_enabled: false })
    .eq('id', item.id)
    .throwOnError();
  for (const code of [item.own, item.further]) expect(await htmlOf(`/item/${code}`)).toContain('Dana');

  const id = await offerTo(receiver.email);
  expect(await transfersOf(receiver)).toEqual({
    offers: [
      {
        id,
        item_type: 'suitcase',
        item_name: 'Blue suitcase',
        photo,
        giver: 'Dana',
        expires_at: expect.stringMatching(/^\d{4}-/),
      },
    ],
    given: [],
  });
  expect((await accept(id).throwOnError()).data).toEqual({ qr_id: item.own });

  const own = await receiver.client.from('items').select().throwOnError();
  expect(own.data).toMatchObject([
    {
      qr_id: item.own,
      item_type: 'suitcase',
      item_name: 'Blue suitcase',
      description: 'With a scratch',
      photo,
      // What the giver promised, decided, and wrote to finders is theirs.
      note_to_finders: null,
      reward: null,
      lost_at: null,
      call_enabled: null,
    },
  ]);
  for (const code of [item.own, item.further]) {
    expect(await find(code)).toMatchObject({ owner_first_name: 'Noa', lost: false, reward: null });
    const { data: holder } = await receiver.client.rpc('get_qr_code_owner', { qr_id_param: code });
    expect(holder).toBe(receiver.user.id);
    const { data: former } = await giver.client.rpc('get_qr_code_owner', { qr_id_param: code });
    expect(former).not.toBe(giver.user.id);
    await expect.poll(() => htmlOf(`/item/${code}`), { interval: 20 }).toContain('Noa');
  }
  const { data: codes } = await receiver.client.from('qr_codes').select('qr_id, stands_for').order('stands_for');
  expect(codes).toEqual([
    { qr_id: item.further, stands_for: item.own },
    { qr_id: item.own, stands_for: null },
  ]);

  expect((await giver.client.from('items').select().throwOnError()).data).toEqual([]);
  expect((await giver.client.from('qr_codes').select().throwOnError()).data).toEqual([]);
  expect((await server.request(`/storage/v1/object/public/item-photos/${photo}`)).status).toBe(200);
  expect((await receiver.client.storage.from('item-photos').list()).data).toMatchObject([{ name: photo }]);
  expect((await giver.client.storage.from('item-photos').list()).data).toEqual([]);

  // The new owner's changes reach the photo, and the former owner's do not.
  expect((await giver.client.from('items').update({ item_name: 'Mine' }).eq('id', item.id).select()).data).toEqual([]);
  await receiver.client.from('items').delete().eq('qr_id', item.own).throwOnError();
  expect((await server.request(`/storage/v1/object/public/item-photos/${photo}`)).status).toBe(400);
  expect(await find(item.further)).toBeNull();

  expect(await eventsOf(giver)).toEqual(['item_offered', 'item_given']);
  expect(await eventsOf(receiver)).toEqual(['item_received', 'item_deleted']);
});

test('conversations stay with the former owner; finders who write again reach the new one [K62]', async () => {
  const sent = await postForm(server, `/item/${item.further}/message`, { body: 'To Dana' });
  const cookie = cookieOf(sent);
  const before = await conversationAt(item.further, cookie);
  expect(before).toMatchObject({ messages: [{ body: 'To Dana' }] });
  const { data: openings } = await giver.client.from('conversations').select('id').throwOnError();
  const conversation = openings[0]?.id;
  const reply = { conversation_id_param: conversation, body_param: 'From Dana' };
  await giver.client.rpc('send_reply', reply).throwOnError();
  await accept(await offerTo(receiver.email)).throwOnError();

  // The giver reads it, and cannot reply to a finder who no longer reads it.
  const { data: kept } = await giver.client.from('messages').select('body, item_id').order('created_at');
  expect(kept).toEqual([
    { body: 'To Dana', item_id: item.id },
    { body: 'From Dana', item_id: item.id },
  ]);
  expect((await giver.client.rpc('count_unread').throwOnError()).data).toEqual({ [item.id]: 1 });
  expect(codeOf(await giver.client.rpc('send_reply', { ...reply, body_param: 'Still me' }))).toBe('PT409');
  expect((await giver.client.rpc('list_return_codes', { item_id_param: item.id }).throwOnError()).data).toEqual([]);
  expect((await receiver.client.from('messages').select().throwOnError()).data).toEqual([]);
  expect((await receiver.client.rpc('count_unread').throwOnError()).data).toEqual({});

  // Neither the finder's cookie nor the return code opens it.
  expect(await conversationAt(item.further, cookie)).not.toMatchObject({ messages: [{ body: 'To Dana' }] });
  const entered = await postForm(server, `/item/${item.further}/back`, { return_code: before.return_code });
  expect(entered.headers.get('set-cookie') ?? '').not.toContain('finder_key');

  // It says why, also behind the return code and the private link, and names neither the giver nor what was said.
  const page = (path: string, headers = {}) => server.request(`/item/${item.further}${path}`, { headers });
  const { html } = await readDocument(await page('', { Cookie: cookie }));
  expect(html).toContain('This item has a new owner');
  expect(html).not.toMatch(/To Dana|From Dana|Dana/);
  expect(await entered.text()).toContain('Your conversation was with the previous owner');
  const link = String(before.return_path).replace(`/item/${item.further}`, '');
  expect((await readDocument(await page(link))).html).toContain('This item has a new owner');
  expect((await readDocument(await page(''))).html, 'to others').not.toContain('This item has a new owner');
  // The giver learns that a finder waits, and from whom it can no longer be told.
  await expect.poll(() => mailsTo(giver.email).at(-1)?.text).toContain('A conversation with a finder was still open.');

  // The same browser writes on, to the new owner.
  const again = await postForm(
    server,
    `/item/${item.further}/message`,
    { body: 'To Noa' },
    { headers: { Cookie: cookie } },
  );
  expect(again.status).toBe(303);
  expect((await receiver.client.from('messages').select('body').throwOnError()).data).toEqual([{ body: 'To Noa' }]);
  expect((await giver.client.from('messages').select('body').eq('sender', 'finder')).data).toEqual([
    { body: 'To Dana' },
  ]);
  expect(await conversationAt(item.further, cookieOf(again))).toMatchObject({ messages: [{ body: 'To Noa' }] });
  expect((await readDocument(await page('', { Cookie: cookieOf(again) }))).html).not.toContain('has a new owner');

  // What the new owner deletes is theirs alone, and the giver's record goes when the giver deletes it.
  await receiver.client.from('items').delete().eq('qr_id', item.own).throwOnError();
  expect((await transfersOf(giver)).given).toEqual([
    {
      id: item.id,
      item_type: 'suitcase',
      item_name: 'Blue suitcase',
      given_at: expect.any(String),
      email: receiver.email,
      has_messages: true,
    },
  ]);
  await receiver.client.rpc('delete_given_item', { item_id_param: item.id }).throwOnError();
  expect((await transfersOf(giver)).given).toHaveLength(1);
  await giver.client.rpc('delete_given_item', { item_id_param: item.id }).throwOnError();
  expect(await transfersOf(giver)).toEqual({ offers: [], given: [] });
  expect(await database.query('select from public.conversations where owner_id = $1', [giver.user.id])).toEqual([]);
});

test('a former owner who knows the return code reads nothing that the finder writes to the new owner', async () => {
  const message = (body: string, cookie = '') =>
    postForm(server, `/item/${item.own}/message`, { body }, { headers: { Cookie: cookie } });
  const { return_code } = await conversationAt(item.own, cookieOf(await message('To Dana')));
  const enter = () => postForm(server, `/item/${item.own}/back`, { return_code });
  // Both have entered the code, in browsers of their own.
  const [finder, former] = [cookieOf(await enter()), cookieOf(await enter())];
  await accept(await offerTo(receiver.email)).throwOnError();

  const planted = await message('From the former owner', former);
  expect(planted.status).toBe(303);
  expect(await conversationAt(item.own, finder)).toBeNull();
  const derived = finder.split('=')[1] ?? '';
  const begin = visitor.rpc('send_message', { qr_id_param: item.own, body_param: 'Hi', finder_key_param: derived });
  expect(codeOf(await begin)).toBe('PT410');

  const again = cookieOf(await message('To Noa', finder));
  expect(await conversationAt(item.own, again)).toMatchObject({ messages: [{ body: 'To Noa' }], has_others: false });
  expect(await conversationAt(item.own, former)).toBeNull();
  expect((await enter()).headers.get('set-cookie') ?? '').not.toContain('finder_key');
});

test('a link plants no key with which a former owner could begin the conversation with the new one', async () => {
  const planted = `chosen-by-the-owner-${'x'.repeat(12)}`;
  const begin = (body_param: string) =>
    visitor.rpc('send_message', { qr_id_param: item.own, body_param, finder_key_param: planted }).throwOnError();
  await begin('To myself');
  const path = `/item/${item.own}/back`;
  const opened = await server.request(`${path}/${planted}`, { headers: { 'Sec-Fetch-Site': 'none' } });
  const pressed = await postForm(server, path, { finder_key: planted });
  for (const entered of [opened, pressed]) expect(entered.headers.get('set-cookie') ?? '').not.toContain('finder_key');
});

test('after the owner deleted the item, their return code opens nothing of what its next owner gets', async () => {
  const message = (body: string, cookie = '') =>
    postForm(server, `/item/${item.own}/message`, { body }, { headers: { Cookie: cookie } });
  const { return_code } = await conversationAt(item.own, cookieOf(await message('To Dana')));
  const enter = () => postForm(server, `/item/${item.own}/back`, { return_code });
  const [finder, former] = [cookieOf(await enter()), cookieOf(await enter())];
  await giver.client.from('items').delete().eq('id', item.id).throwOnError();
  await receiver.client
    .from('items')
    .insert({ qr_id: item.own, user_id: receiver.user.id, item_type: 'keys', item_name: 'Keys' })
    .throwOnError();

  const again = cookieOf(await message('To Noa', finder));
  expect(await conversationAt(item.own, again)).toMatchObject({ messages: [{ body: 'To Noa' }] });
  expect(await conversationAt(item.own, former)).toBeNull();
  expect((await enter()).headers.get('set-cookie') ?? '').not.toContain('finder_key');
});

test('a finder whom the giver blocked may write to the new owner, and stays blocked when the giver gets the item back', async () => {
  const cookie = cookieOf(await postForm(server, `/item/${item.own}/message`, { body: 'Ha ha' }));
  await giver.client
    .from('conversations')
    .update({ blocked_at: new Date().toISOString() })
    .eq('item_id', item.id)
    .throwOnError();
  const write = (body: string) =>
    postForm(server, `/item/${item.own}/message`, { body }, { headers: { Cookie: cookie } });
  expect((await write('Again')).status).toBe(403);
  await accept(await offerTo(receiver.email)).throwOnError();
  expect((await write('To Noa')).status).toBe(303);

  const { data: own } = await receiver.client.from('items').select('id').single().throwOnError();
  const { data } = await offer(giver.email, own.id, receiver.client).throwOnError();
  await accept((data as { id: string }).id, giver.client).throwOnError();
  expect((await write('Me again')).status).toBe(403);
});

test('the response to an offer is the same for an address with an account and for one without', async () => {
  const { data: known } = await offer(` ${receiver.email.toUpperCase()} `).throwOnError();
  const { data: again } = await offer(receiver.email).throwOnError();
  expect(again).toEqual(known);
  await giver.client
    .from('item_offers')
    .delete()
    .eq('id', (known as { id: string }).id)
    .throwOnError();
  const { data: unknown } = await offer(`nobody-${crypto.randomUUID()}@example.com`).throwOnError();
  const shape = { id: expect.any(String), expires_at: expect.any(String) };
  expect([known, unknown]).toEqual([shape, shape]);
  expect(codeOf(await offer(receiver.email))).toBe('PT409');
});

test('the email has a link and nothing that a person wrote; after the acceptance the giver gets one', async () => {
  await giver.client.from('profiles').update({ full_name: 'http://example.net/win now' }).eq('id', giver.user.id);
  const id = await offerTo(receiver.email);
  await expect
    .poll(() => mailsTo(receiver.email).map(({ subject }) => subject))
    .toContainEqual(expect.stringContaining('wants to give you'));
  const mail = mailsTo(receiver.email).find(({ subject }) => subject.includes('wants to give you'));
  expect(mail?.text).toContain(`/offer/${id}`);
  expect(`${mail?.subject} ${mail?.text} ${mail?.html}`).not.toMatch(/example\.net|Blue suitcase|Danish/);
  await accept(id).throwOnError();
  await expect
    .poll(() => mailsTo(giver.email).at(-1))
    .toMatchObject({ text: expect.stringContaining('Blue suitcase') });
  const text = mailsTo(giver.email).at(-1)?.text;
  expect(text).toContain(receiver.email);
  // Whose account was used by another.
  expect(text).toContain('/not-me/');
});

test('an item is offered to an address of an international domain in any spelling, which is one address', async () => {
  const name = `empfänger-${crypto.randomUUID()}`.replace('ä', 'a');
  const { data: known, error } = await offer(`${name}@Bücher.example`);
  expect(error).toBeNull();
  expect(
    await database.query('select email from public.item_offers where id = $1', [(known as { id: string }).id]),
  ).toEqual([{ email: `${name}@xn--bcher-kva.example` }]);
  expect((await offer(`${name}@xn--bcher-kva.example`)).data).toEqual(known);
  for (const wrong of ['nobody', 'empfänger@example.com', 'a b@example.com', `${'a'.repeat(65)}@example.com`]) {
    expect([wrong, (await offer(wrong)).error]).toMatchObject([
      wrong,
      { code: '22023', message: 'This is no email address' },
    ]);
  }
});

test('the giver gets an email about the acceptance, also where the record is deleted at once', async () => {
  const id = await offerTo(receiver.email);
  await acceptAndForget(id);
  await expect
    .poll(() => mailsTo(giver.email).at(-1)?.text)
    .toEqual(
      expect.stringMatching(new RegExp(`Blue suitcase[^]*${receiver.email}|${receiver.email}[^]*Blue suitcase`)),
    );
});

test('who gets an item gets an email about its void stickers', async () => {
  const order = { qr_id_param: item.further, reason_param: 'Reported as stolen', claimed_too: true };
  await operator.rpc('void_code', order).throwOnError();
  await accept(await offerTo(receiver.email)).throwOnError();
  await database.query(
    `select graphile_worker.reschedule_jobs(array(
       select id from graphile_worker.jobs where key = 'send_void_mail:' || $1), now())`,
    [receiver.user.id],
  );
  await expect.poll(() => mailsTo(receiver.email).at(-1)?.text).toEqual(expect.stringContaining('Reported as stolen'));
});

test('who has no account signs up, and finds the offer', async () => {
  const email = `later-${crypto.randomUUID()}@example.com`;
  const id = await offerTo(email);
  await expect.poll(() => mailsTo(email)).toHaveLength(1);
  const later = await registerOwner(server, { email });
  expect((await transfersOf(later)).offers).toMatchObject([{ id }]);
  expect((await accept(id, later.client).throwOnError()).data).toEqual({ qr_id: item.own });
});

test('only the account that proved the address can accept or decline, and every refusal is the same', async () => {
  const id = await offerTo(receiver.email);
  const other = await registerOwner(server);
  const claims = 'update auth.users set claimed_email = $2, email = null, email_confirmed_at = null where id = $1';
  await database.query(claims, [other.user.id, receiver.email]);
  for (const { client } of [other, giver]) {
    for (const refusal of [
      await accept(id, client),
      await decline(id, client),
      await accept(crypto.randomUUID(), client),
      await decline(crypto.randomUUID(), client),
    ]) {
      expect(refusal.error).toMatchObject({ code: 'PT404', message: 'No open offer to you has this id' });
    }
  }
  expect((await transfersOf(other)).offers).toEqual([]);
  expect(codeOf(await accept(id, visitor))).toBe('42501');

  // The address moves to another account while the offer waits: it is that account's then.
  await database.query(claims, [receiver.user.id, 'elsewhere@example.com']);
  await database.query(
    'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1',
    [other.user.id],
  );
  expect(codeOf(await accept(id))).toBe('PT404');
  expect(codeOf(await accept(id, other.client))).toBe('ok');
});

test('the link of an offer proves the address it was mailed to, for the signed-in account that names it', async () => {
  const [named, other] = [await registerOwner(server), await registerOwner(server)];
  const email = `named-${crypto.randomUUID()}@example.com`;
  const claims = 'update auth.users set claimed_email = $2, email = null, email_confirmed_at = null where id = $1';
  await database.query(claims, [named.user.id, email]);
  const id = await offerTo(email);
  await expect.poll(() => mailsTo(email)).toHaveLength(1);
  const token_hash = /\/offer\/\S+#token_hash=(\S+)/.exec(mailsTo(email)[0]?.text ?? '')?.[1] ?? '';
  const follow = async (session: RegisteredOwner['session'] | null, token = token_hash, type = 'email') => {
    const response = await server.request('/auth/v1/verify', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        apikey: server.secrets.publishableKey,
        Authorization: `Bearer ${session?.access_token ?? server.secrets.publishableKey}`,
      },
      body: JSON.stringify({ type, token_hash: token }),
    });
    const { error_code: code = 'ok' } = await response.json();
    return [response.status, code];
  };

  // Neither a visitor, nor an account that names another address, nor a token that was not mailed, nor another type.
  expect(await follow(null)).toEqual([403, 'reauthentication_needed']);
  const refused = [403, 'otp_expired'];
  expect(await follow(other.session)).toEqual(refused);
  expect(await follow(named.session, `${id}.${'A'.repeat(43)}`)).toEqual(refused);
  expect(await follow(named.session, token_hash, 'signup')).toEqual(refused);
  expect((await transfersOf(named)).offers).toEqual([]);

  expect([await follow(named.session), await follow(named.session)]).toEqual([
    [200, 'ok'],
    [200, 'ok'],
  ]);
  expect((await transfersOf(named)).offers).toMatchObject([{ id }]);
  expect((await accept(id, named.client).throwOnError()).data).toEqual({ qr_id: item.own });
  expect(await follow(named.session)).toEqual(refused);
});

test('an acceptance can be repeated; a declined, canceled, or expired offer cannot be accepted', async () => {
  const canceled = await offerTo(receiver.email);
  const table = () => giver.client.from('item_offers');
  expect((await table().delete().eq('id', canceled).select('id')).data).toEqual([{ id: canceled }]);
  expect(codeOf(await accept(canceled))).toBe('PT404');

  const declined = await offerTo(receiver.email);
  expect([codeOf(await decline(declined)), codeOf(await decline(declined))]).toEqual(['ok', 'ok']);
  expect(codeOf(await accept(declined))).toBe('PT404');
  expect((await transfersOf(receiver)).offers).toEqual([]);
  expect((await table().select('email, declined_at').throwOnError()).data).toEqual([
    { email: receiver.email, declined_at: expect.any(String) },
  ]);

  const expired = await offerTo(receiver.email);
  expect(expired).not.toBe(declined);
  await database.query("update public.item_offers set expires_at = now() - interval '1 second' where id = $1", [
    expired,
  ]);
  expect(codeOf(await accept(expired))).toBe('PT404');
  expect((await transfersOf(receiver)).offers).toEqual([]);

  const open = await offerTo(receiver.email);
  expect((await accept(open).throwOnError()).data).toEqual({ qr_id: item.own });
  expect((await accept(open).throwOnError()).data).toEqual({ qr_id: item.own });
  expect([codeOf(await decline(open)), codeOf(await offer(receiver.email))]).toEqual(['PT404', 'PT404']);
  expect((await table().delete().eq('id', open).select('id')).data).toEqual([]);
});

test('what cannot be offered is refused', async () => {
  await database.query('update auth.users set is_anonymous = true where id = $1', [giver.user.id]);
  expect(codeOf(await offer('a@example.com'))).toBe('42501');
  await database.query('update auth.users set is_anonymous = false where id = $1', [giver.user.id]);
  expect(codeOf(await offer('a@example.com', item.id, receiver.client))).toBe('PT404');
  for (const address of [giver.email, 'nobody', 'a b@example.com', 'a@example', `${'a'.repeat(250)}@example.com`, '']) {
    expect(codeOf(await offer(address))).toBe('22023');
  }
  await operator.rpc('void_code', { qr_id_param: item.own, reason_param: 'Stolen', claimed_too: true }).throwOnError();
  expect(codeOf(await offer('a@example.com'))).toBe('PT423');
  expect(await eventsOf(giver)).toEqual([]);
});

test('a code that is voided meanwhile keeps the item where it is; a void further code moves along', async () => {
  const id = await offerTo(receiver.email);
  const order = { reason_param: 'Stolen', claimed_too: true };
  await operator.rpc('void_code', { ...order, qr_id_param: item.further }).throwOnError();
  await operator.rpc('void_code', { ...order, qr_id_param: item.own }).throwOnError();
  expect(codeOf(await accept(id))).toBe('PT423');
  expect((await giver.client.from('items').select('id')).data).toEqual([{ id: item.id }]);
  await operator.rpc('restore_code', { qr_id_param: item.own }).throwOnError();
  expect(codeOf(await accept(id))).toBe('ok');
  const { data } = await receiver.client.from('qr_codes').select('qr_id, void_reason').order('void_reason');
  expect(data).toEqual([
    { qr_id: item.further, void_reason: 'Stolen' },
    { qr_id: item.own, void_reason: null },
  ]);
});

test('an item that its owner deletes is no longer offered, nor is one of a deleted or banned account', async () => {
  const deleted = await offerTo(receiver.email);
  await giver.client.from('items').delete().eq('id', item.id).throwOnError();
  expect(codeOf(await accept(deleted))).toBe('PT404');

  const banned = await registerOwner(server);
  const code = createTagCode();
  const { data: theirs } = await banned.client
    .from('items')
    .insert({ qr_id: code, user_id: banned.user.id, item_type: 'keys', item_name: 'Keys' })
    .select('id')
    .single()
    .throwOnError();
  const { data } = await offer(receiver.email, theirs.id, banned.client).throwOnError();
  await database.query("update auth.users set banned_until = now() + interval '1 day' where id = $1", [banned.user.id]);
  expect(codeOf(await accept((data as { id: string }).id))).toBe('PT404');
  expect((await transfersOf(receiver)).offers).toEqual([]);
  await database.query('update auth.users set banned_until = null where id = $1', [banned.user.id]);
  await banned.client.rpc('delete_my_account').throwOnError();
  expect(codeOf(await accept((data as { id: string }).id))).toBe('PT404');
  expect(await database.query('select from public.item_offers where email = $1', [receiver.email])).toEqual([]);
});

test('a deleted account leaves no address in offers, and what it received goes with it', async () => {
  const accepted = await offerTo(receiver.email);
  await accept(accepted).throwOnError();
  const [{ id: second } = { id: '' }] = await database.query<{ id: string }>(
    `insert into public.items (qr_id, user_id, item_type, item_name) values ($1, $2, 'keys', 'Keys') returning id`,
    [createTagCode(), giver.user.id],
  );
  await offer(receiver.email, second).throwOnError();
  await receiver.client.rpc('delete_my_account').throwOnError();
  const { data } = await giver.client.from('item_offers').select('id, email').throwOnError();
  expect(data).toEqual([{ id: accepted, email: null }]);
  expect((await transfersOf(giver)).given).toMatchObject([{ id: item.id, email: null }]);
  expect(await find(item.own)).toBeNull();
  expect(await database.query('select owner_id from public.qr_codes where qr_id = $1', [item.own])).toEqual([
    { owner_id: null },
  ]);
});

test('the receiver needs room, and without it nothing moves', async () => {
  const small = await startTestServer(database, { environment: { ITEMS_PER_ACCOUNT: '1' }, delivery });
  const full = await registerOwner(small);
  await full.client
    .from('items')
    .insert({ qr_id: createTagCode(), user_id: full.user.id, item_type: 'keys', item_name: 'Keys' })
    .throwOnError();
  const id = await offerTo(full.email);
  expect(codeOf(await accept(id, full.client))).toBe('PT413');
  expect((await giver.client.from('items').select('id')).data).toEqual([{ id: item.id }]);
  // A record of an item that was given away takes no room.
  await full.client.from('items').delete().eq('user_id', full.user.id).throwOnError();
  expect(codeOf(await accept(id, full.client))).toBe('ok');
  const { data: own } = await full.client.from('items').select('id').single().throwOnError();
  const { data } = await offer(giver.email, own.id, full.client).throwOnError();
  await accept((data as { id: string }).id, giver.client).throwOnError();
  const { error } = await full.client
    .from('items')
    .insert({ qr_id: createTagCode(), user_id: full.user.id, item_type: 'keys', item_name: 'Keys' });
  expect(error).toBeNull();
});

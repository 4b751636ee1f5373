import { describe, expect, test } from 'vitest';
import { aPicture } from '#tests/contract/storage/support/pictures.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { type RegisteredOwner, registerOwner } from '#tests/support/factories/register-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { letTimePass } from '#tests/support/unseen-notices.ts';
import { withoutLinks } from '#tests/support/without-links.ts';
import { postForm } from './support/post-form.ts';
import { unstyledClasses } from './support/unstyled-classes.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);

interface Watched {
  readonly owner: RegisteredOwner;
  readonly item: TestItem;
  readonly friend: string;
  /** The path of the contact's own page. */
  readonly page: string;
}

/** Returns the paths of the pages in a mail or an SMS, in their order. A link may end in an escaped character. */
function pathsIn({ text }: { readonly text: string }): string[] {
  return [...new Set(text.match(/\/contact\/[\w%-]+/g)?.map(decodeURIComponent))];
}

async function invite({ client }: RegisteredOwner, friend = anEmail()): Promise<string> {
  const { error } = await client.rpc('invite_second_contact', { email_param: friend, phone_param: null });
  expect(error).toBeNull();
  const [page = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  return page;
}

/** An owner with an item that is lost, and a second contact who has agreed. */
async function createWatched({ isLost = true }: { readonly isLost?: boolean } = {}): Promise<Watched> {
  const owner = await registerOwner(server, { data: { full_name: 'Dana Quetzal-Levi' } });
  const item = await createItem(database, owner.user, { itemName: 'Blue backpack', description: 'canary description' });
  if (isLost) await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
  const friend = anEmail();
  const page = await invite(owner, friend);
  expect((await postForm(server, `${page}/agree`, {})).status).toBe(303);
  return { owner, item, friend, page };
}

const FINDER_KEY = () => `key-of-a-finder-${crypto.randomUUID()}`;

/** A finder writes; returns a way to read what their page shows. */
async function write({ qrId }: TestItem, body: string, key = FINDER_KEY()) {
  const visitor = server.client();
  const params = { qr_id_param: qrId, finder_key_param: key };
  expect((await visitor.rpc('send_message', { ...params, body_param: body })).error).toBeNull();
  return {
    key,
    async read() {
      const { data } = await visitor.rpc('read_conversation', params);
      return data as { progress: { state: string } | null; messages: { sender: string; body: string }[] };
    },
  };
}

/** What waits to notify second contacts, in minutes from now. */
async function waiting({ id }: TestItem): Promise<number[]> {
  const rows = await database.query<{ minutes: number }>(
    `select round(extract(epoch from jobs.run_at - now()) / 60)::integer as minutes
       from graphile_worker.jobs as jobs
       join public.conversations as conversation
         on jobs.key like 'notify_second_contact:%:' || conversation.id where conversation.item_id = $1`,
    [id],
  );
  return rows.map(({ minutes }) => minutes);
}

/** Returns a page as text. */
async function open(path: string): Promise<{ status: number; html: string; headers: Headers }> {
  const response = await server.request(path);
  return { status: response.status, html: await response.text(), headers: response.headers };
}

test('every class of the contact’s page has a style there', async () => {
  const { page } = await createWatched();
  expect(unstyledClasses((await open(page)).html)).toEqual([]);
});

async function noticesTo(address: string) {
  return server.delivery.emails.filter(({ to, key }) => to === address && key?.startsWith('contact:'));
}

test('a second contact agrees, hears of a message after an hour, and replies for the owner', async () => {
  const { owner, item, friend, page } = await createWatched();
  const finder = await write(item, 'I am Fay, call +1 555 0100');
  expect(await waiting(item)).toEqual([60]);
  expect(await noticesTo(friend)).toEqual([]);
  expect((await finder.read()).progress?.state).not.toBe('contacted');

  await letTimePass(database, item, '61 minutes');
  const notice = await server.delivery.takeEmailTo(friend);
  expect(notice.text).toContain('Blue backpack');
  expect(withoutLinks(notice.text)).not.toMatch(/Fay|555/);
  const [thread = '', own] = pathsIn(notice);
  expect(own).toBe(page);
  await expect.poll(async () => (await finder.read()).progress?.state).toBe('contacted');

  const shown = await open(thread);
  expect(shown.status).toBe(200);
  expect(shown.html).toContain('I am Fay, call +1 555 0100');
  expect(shown.html).toContain('Blue backpack');
  // Nothing else of the owner.
  for (const secret of [owner.email, owner.phone, owner.user.id, 'Quetzal', 'canary', item.qrId, friend]) {
    expect(shown.html, String(secret)).not.toContain(secret);
  }
  expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
  expect(shown.headers.get('cache-control')).toBe('private, no-store');

  const messageId = /name="message_id" value="([^"]+)"/.exec(shown.html)?.[1] ?? '';
  for (let count = 0; count < 2; count += 1) {
    const sent = await postForm(server, `${thread}/reply`, { body: ' Leave it at the desk ', message_id: messageId });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${thread}?done=reply`]);
  }
  const { messages, progress } = await finder.read();
  expect(messages).toMatchObject([
    { sender: 'finder', body: 'I am Fay, call +1 555 0100' },
    { sender: 'contact', body: 'Leave it at the desk' },
  ]);
  expect(progress).toBeNull();
  expect(JSON.stringify(messages)).not.toContain(friend);
  const { data } = await owner.client.from('messages').select('sender, by_contact').order('created_at');
  expect(data).toEqual([
    { sender: 'finder', by_contact: false },
    { sender: 'owner', by_contact: true },
  ]);
  // The finder's page names neither the way nor the contact.
  const cookie = { Cookie: `reunite_finder_key=${finder.key}` };
  const html = await (await server.request(`/item/${item.qrId}`, { headers: cookie })).text();
  expect(html).toMatch(/A contact of (<bdi translate="no">)?Dana/);
  expect(html).not.toContain(friend);
});

test('a contact sees the photo of a finder in the thread of its link alone', async () => {
  const { item, friend } = await createWatched();
  const finder = await write(item, 'Found');
  const [{ id = '' } = {}] = await database.query<{ id: string }>('select id from public.messages where item_id = $1', [
    item.id,
  ]);
  const posted = await server.request(`/item/${item.qrId}/photo/${id}`, {
    method: 'POST',
    body: Uint8Array.from(await aPicture().jpeg().toBuffer()),
    headers: { Cookie: `reunite_finder_key=${finder.key}`, 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(posted.status).toBe(200);
  await letTimePass(database, item, '61 minutes');
  const [thread = '', own = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  const html = await (await server.request(thread)).text();
  expect(html).toContain(`<img src="${thread}/photo/${id}?small" alt="The photo the finder sent"`);
  const shown = await server.request(`${thread}/photo/${id}`);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
  for (const path of [`${own}/photo/${id}`, `/contact/${'x'.repeat(22)}/photo/${id}`, `${thread}/photo/photo`]) {
    expect((await server.request(path)).status).toBe(404);
  }
});

describe('a message that waits is not brought to a second contact', () => {
  test.each([
    ['was seen', 'update public.messages set read_at = now() where item_id = $1'],
    [
      'was replied to',
      `insert into public.messages (conversation_id, item_id, owner_id, sender, body)
         select id, item_id, owner_id, 'owner', 'Thanks' from public.conversations where item_id = $1`,
    ],
    ['is of an item that was returned', 'update public.conversations set returned_at = now() where item_id = $1'],
    ['was muted', 'update public.conversations set muted_at = now() where item_id = $1'],
    ['was blocked', 'update public.conversations set blocked_at = now() where item_id = $1'],
    ['was deleted', 'delete from public.messages where item_id = $1'],
    [
      'is of an item that was given away, whoever it is for',
      `with item as (
         update public.items set qr_id = null, given_at = now(), lost_at = null where id = $1 returning user_id
       ) update public.second_contacts set for_all = true from item where owner_id = item.user_id`,
    ],
    ['is of an item that is no longer lost', 'update public.items set lost_at = null where id = $1'],
    [
      'is of an owner whose contact has left',
      `update public.second_contacts set left_at = now()
         where owner_id = (select user_id from public.items where id = $1)`,
    ],
  ])('when it %s', async (_, statement) => {
    const { item, friend } = await createWatched();
    await write(item, 'Found');
    expect(await waiting(item)).toEqual([60]);
    await database.query(statement, [item.id]);
    await letTimePass(database, item, '61 minutes');
    await expect.poll(() => waiting(item)).toEqual([]);
    expect(await noticesTo(friend)).toEqual([]);
    const [{ contacted = null } = {}] = await database.query<{ contacted: boolean }>(
      'select contacted_at is not null as contacted from public.conversations where item_id = $1',
      [item.id],
    );
    expect(contacted).toBe(false);
  });
});

test('a contact hears of items that are not lost only if the owner chose that, and once until the owner has seen it', async () => {
  const { owner, item, friend } = await createWatched({ isLost: false });
  const finder = await write(item, 'Found');
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => waiting(item)).toEqual([]);
  expect(await noticesTo(friend)).toEqual([]);
  await owner.client.from('second_contacts').update({ for_all: true }).eq('email', friend).throwOnError();
  await write(item, 'Hello?', finder.key);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
  await expect.poll(() => waiting(item)).toEqual([]);
  await write(item, 'Hello??', finder.key);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => waiting(item)).toEqual([]);
  expect(await noticesTo(friend)).toHaveLength(1);
});

const setLost = ({ id }: TestItem, owner: RegisteredOwner) =>
  owner.client.from('items').update({ lost_at: new Date().toISOString() }).eq('id', id).throwOnError();

test('to a second contact an item without a name of its own is something of its owner’s', async () => {
  const { item, friend } = await createWatched();
  await database.query(`update public.items set item_name = 'My Tagged Item' where id = $1`, [item.id]);
  await write(item, 'Found it');
  await letTimePass(database, item, '61 minutes');
  const [thread = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  const { html } = await open(thread);
  expect(html).toContain('A finder wrote: <bdi translate="no">Something of Dana’s</bdi>');
  expect(html).not.toContain('My Tagged Item');
});

test('an item that is marked as lost later brings a notice of its unseen messages, once', async () => {
  const { owner, item, friend } = await createWatched({ isLost: false });
  const finder = await write(item, 'Found');
  const seen = await write(item, 'Seen');
  await database.query("update public.messages set read_at = now() where item_id = $1 and body = 'Seen'", [item.id]);
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => waiting(item)).toEqual([]);
  expect(await noticesTo(friend)).toEqual([]);

  await setLost(item, owner);
  await letTimePass(database, item, '5 minutes');
  await expect.poll(async () => (await finder.read()).progress?.state).toBe('contacted');
  expect((await seen.read()).progress?.state).not.toBe('contacted');
  await expect.poll(() => waiting(item)).toEqual([]);
  await owner.client.from('items').update({ lost_at: null }).eq('id', item.id).throwOnError();
  await setLost(item, owner);
  await letTimePass(database, item, '5 minutes');
  await expect.poll(() => waiting(item)).toEqual([]);
  expect(await noticesTo(friend)).toHaveLength(1);
});

test('an item that was marked as lost by mistake, which is undone within five minutes, brings no notice', async () => {
  const { owner, item, friend } = await createWatched({ isLost: false });
  // Its notice is nearly due, and is put off as well.
  await write(item, 'Found');
  await letTimePass(database, item, '58 minutes');
  expect(await waiting(item)).toEqual([2]);
  await setLost(item, owner);
  expect(await waiting(item)).toEqual([5]);
  await owner.client.from('items').update({ lost_at: null }).eq('id', item.id).throwOnError();
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => waiting(item)).toEqual([]);
  expect(await noticesTo(friend)).toEqual([]);
});

test('an item that is marked as lost at once brings the notice after the hour', async () => {
  const { owner, item } = await createWatched({ isLost: false });
  await write(item, 'Found');
  await setLost(item, owner);
  expect(await waiting(item)).toEqual([60]);
});

test('a contact who agrees after the message hears of it when it has been unseen for an hour', async () => {
  const owner = await registerOwner(server);
  const [lost, safe] = [await createItem(database, owner.user), await createItem(database, owner.user)];
  await setLost(lost, owner);
  const friend = anEmail();
  const page = await invite(owner, friend);
  await write(lost, 'Found');
  await write(safe, 'Found too');
  for (const item of [lost, safe]) await letTimePass(database, item, '5 minutes');
  expect(await waiting(lost)).toEqual([]);
  await postForm(server, `${page}/agree`, {});
  expect(await waiting(lost)).toEqual([55]);
  expect(await waiting(safe)).toEqual([]);
  await letTimePass(database, lost, '56 minutes');
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
  await expect.poll(() => waiting(lost)).toEqual([]);
  await postForm(server, `${page}/agree`, {});
  expect(await waiting(lost)).toEqual([]);

  // The owner chooses all items.
  await letTimePass(database, safe, '1 hour');
  await owner.client.from('second_contacts').update({ for_all: true }).eq('email', friend).throwOnError();
  await expect.poll(() => noticesTo(friend)).toHaveLength(2);
});

test('of many unseen conversations a lost item queues the notices of the newest', async () => {
  const { owner, item } = await createWatched({ isLost: false });
  await write(item, 'The first');
  await database.query(
    `with conversation as (
        insert into public.conversations (item_id, owner_id) select $1, $2 from generate_series(1, 24) returning id
      )
      insert into public.messages (conversation_id, item_id, owner_id, sender, body)
        select id, $1, $2, 'finder', 'Found' from conversation`,
    [item.id, owner.user.id],
  );
  await letTimePass(database, item, '61 minutes');
  await expect.poll(() => waiting(item)).toEqual([]);
  await database.query('update public.messages set created_at = now() where item_id = $1', [item.id]);
  await setLost(item, owner);
  expect(await waiting(item)).toHaveLength(20);
});

test('a notice waits for the end of the contact’s quiet hours, which the owner does not see', async () => {
  const { owner, item, friend, page } = await createWatched();
  const hour = (from: number) => `${String((new Date().getUTCHours() + from + 24) % 24).padStart(2, '0')}:00`;
  const quiet = { from: hour(-1), to: hour(3), time_zone: 'UTC' };
  expect((await postForm(server, `${page}/quiet`, quiet)).status).toBe(303);
  expect((await open(page)).html).toContain(`value="${quiet.from}"`);
  await write(item, 'Found');
  await letTimePass(database, item, '61 minutes');
  await expect.poll(async () => (await waiting(item)).every((minutes) => minutes > 100)).toBe(true);
  expect(await waiting(item)).toHaveLength(1);
  expect(await noticesTo(friend)).toEqual([]);
  expect((await owner.client.from('second_contacts').select('quiet_from')).error).not.toBeNull();
  expect((await postForm(server, `${page}/quiet`, { from: '', to: '', time_zone: 'UTC' })).status).toBe(303);
  await letTimePass(database, item, '4 hours');
  await expect.poll(() => noticesTo(friend)).toHaveLength(1);
});

test('opening a link agrees to nothing; without a press no message is brought', async () => {
  const owner = await registerOwner(server);
  const item = await createItem(database, owner.user);
  await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
  const page = await invite(owner);
  expect((await open(page)).html).toContain('I agree');
  await server.request(`${page}/agree`);
  await server.request(`${page}/leave`);
  const foreign = await postForm(server, `${page}/agree`, {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  expect(foreign.status).toBe(403);
  await write(item, 'Found');
  expect(await waiting(item)).toEqual([]);
  const { data } = await owner.client.from('second_contacts').select('agreed_at, left_at');
  expect(data).toEqual([{ agreed_at: null, left_at: null }]);
});

test('a contact leaves from a notice, and from then on the links open nothing of the owner', async () => {
  const { owner, item, friend } = await createWatched();
  await write(item, 'A secret place');
  await letTimePass(database, item, '61 minutes');
  const [thread = '', page = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  expect((await postForm(server, `${thread}/leave`, {})).status).toBe(303);
  for (const path of [thread, page]) {
    const { html } = await open(path);
    expect(html).toContain('You’re not a second contact');
    expect(html).not.toContain('A secret place');
    expect((await postForm(server, `${path}/agree`, {})).status).toBe(303);
  }
  expect((await postForm(server, `${thread}/reply`, { body: 'Hi' })).status).toBe(422);
  expect((await owner.client.from('messages').select('id')).data).toHaveLength(1);
  await write(item, 'Another');
  expect(await waiting(item)).toEqual([]);
  // The owner cannot invite them again at once.
  await owner.client.from('second_contacts').delete().eq('email', friend).throwOnError();
  const again = await owner.client.rpc('invite_second_contact', { email_param: friend, phone_param: null });
  expect(again.status).toBe(409);
});

test('a removed contact, a deleted conversation, and an unknown token open nothing', async () => {
  const { owner, item, friend, page } = await createWatched();
  await write(item, 'Found');
  await letTimePass(database, item, '61 minutes');
  const [thread = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  await database.query('delete from public.conversations where item_id = $1', [item.id]);
  expect((await open(thread)).status).toBe(404);
  await owner.client.from('second_contacts').delete().eq('email', friend).throwOnError();
  for (const path of [page, '/contact/aaaaaaaaaaaaaaaaaaaaaa', '/contact/short', '/contact/%20']) {
    const { status, html } = await open(path);
    expect(status, path).toBe(404);
    expect(html).not.toContain('Dana');
  }
});

test('a link of one conversation opens no other, and a blocked or returned one takes no reply', async () => {
  const { item, friend } = await createWatched();
  await write(item, 'Of the first finder');
  await letTimePass(database, item, '61 minutes');
  const [thread = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  await write(item, 'Of the second finder');
  expect((await open(thread)).html).not.toContain('Of the second finder');
  for (const column of ['blocked_at', 'returned_at']) {
    await database.query(`update public.conversations set ${column} = now() where item_id = $1`, [item.id]);
    expect((await postForm(server, `${thread}/reply`, { body: 'Hi' })).status).toBe(422);
    expect((await open(thread)).html).toContain('This conversation is closed.');
    await database.query(`update public.conversations set ${column} = null where item_id = $1`, [item.id]);
  }
});

test('a text that was not sent is kept, and the page says why', async () => {
  const { item, friend } = await createWatched();
  const { read } = await write(item, 'Found it');
  await letTimePass(database, item, '61 minutes');
  const [thread = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  const form = { message_id: crypto.randomUUID() };
  expect((await postForm(server, `${thread}/reply`, { ...form, body: 'At the desk' })).status).toBe(303);
  // The response was lost; the contact went back and changed the text.
  const changed = await postForm(server, `${thread}/reply`, { ...form, body: 'At the front desk' });
  expect(changed.status).toBe(422);
  const shown = await changed.text();
  expect(shown).toContain('Your earlier reply was sent.');
  expect(shown).toContain('At the front desk');
  expect(shown).not.toContain('This conversation is closed.');
  const [, message_id = ''] = /name="message_id" value="([^"]+)"/.exec(shown) ?? [];
  expect((await postForm(server, `${thread}/reply`, { message_id, body: 'At the front desk' })).status).toBe(303);
  const { messages } = await read();
  expect(messages.map(({ body }) => body)).toEqual(['Found it', 'At the desk', 'At the front desk']);

  await database.query('update public.conversations set blocked_at = now() where item_id = $1', [item.id]);
  const late = await postForm(server, `${thread}/reply`, { message_id: crypto.randomUUID(), body: 'On my way' });
  expect(late.status).toBe(422);
  const closed = await late.text();
  for (const words of ['We didn’t send your reply', 'On my way', 'This conversation is closed.'])
    expect(closed).toContain(words);
});

test.each([
  ['reply', { body: '' }, 422],
  ['reply', { body: 'x'.repeat(251) }, 422],
  ['reply', { body: 'Hi', message_id: 'mine' }, 400],
  ['quiet', { from: '22:00', to: '', time_zone: 'UTC' }, 422],
  ['quiet', { from: '22:00', to: '22:00', time_zone: 'UTC' }, 422],
  ['quiet', { from: '25:00', to: '22:00', time_zone: 'UTC' }, 422],
  ['quiet', { from: '21:00', to: '22:00', time_zone: 'Moon/Base' }, 422],
])('%s with %j gets %i and changes nothing', async (action, fields, status) => {
  const { item, friend } = await createWatched();
  await write(item, 'Found');
  await letTimePass(database, item, '61 minutes');
  const [thread = '', page = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  const state = `select count(*)::int as messages,
    (select count(*)::int from public.second_contacts where email = $2 and quiet_from is not null) as quiet
    from public.messages where item_id = $1`;
  const before = await database.query(state, [item.id, friend]);
  const path = action === 'reply' ? thread : page;
  expect((await postForm(server, `${path}/${action}`, fields)).status).toBe(status);
  expect(await database.query(state, [item.id, friend])).toEqual(before);
});

test('a conversation about an item that was given away can be read and takes no reply', async () => {
  const { item, friend } = await createWatched();
  await write(item, 'Found');
  await letTimePass(database, item, '61 minutes');
  const [thread = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  await database.query('update public.items set qr_id = null, given_at = now() where id = $1', [item.id]);
  const { html } = await open(thread);
  expect(html).toContain('Found');
  expect(html).toContain('This conversation is closed.');
  expect((await postForm(server, `${thread}/reply`, { body: 'Hi' })).status).toBe(422);
  const stored = "select from public.messages where item_id = $1 and sender = 'owner'";
  expect(await database.query(stored, [item.id])).toEqual([]);
});

test('the links of an account that is deleted open nothing, and agree to nothing', async () => {
  const { owner, item, friend, page } = await createWatched();
  await write(item, 'Found');
  await letTimePass(database, item, '61 minutes');
  const [thread = ''] = pathsIn(await server.delivery.takeEmailTo(friend));
  const invited = await invite(owner);
  await database.query('update auth.users set deleted_at = now() where id = $1', [owner.user.id]);
  for (const path of [page, invited, thread]) expect((await open(path)).status).toBe(404);
  expect((await postForm(server, `${thread}/reply`, { body: 'Hi' })).status).toBe(404);
  await postForm(server, `${invited}/agree`, {});
  const changed = `select from public.second_contacts where owner_id = $1 and agreed_at is null
    and not exists (select from public.messages where owner_id = $1 and sender = 'owner')`;
  expect(await database.query(changed, [owner.user.id])).toHaveLength(1);
});

test('the page shows no name that could be a link or an advertisement, before and after the contact agrees [K74]', async () => {
  const owner = await registerOwner(server, { data: { full_name: 'example.net/prize' } });
  for (const name of ['https://example.net/prize', 'example.net', 'WIN!', 'dana@example.net']) {
    await owner.client.from('profiles').update({ full_name: name }).eq('id', owner.user.id).throwOnError();
    const page = await invite(owner);
    expect((await open(page)).html).not.toMatch(/example\.net|WIN!|Item Owner/);
    await postForm(server, `${page}/agree`, {});
    expect((await open(page)).html).not.toMatch(/example\.net|WIN!|Item Owner/);
    await owner.client.from('second_contacts').delete().eq('owner_id', owner.user.id).throwOnError();
  }
});

test('a contact has an address of an international domain, and one who cannot is refused without names of ours', async () => {
  const { client } = await registerOwner(server);
  const name = crypto.randomUUID();
  const addresses = (email: string | null, phone: string | null) =>
    client.rpc('invite_second_contact', { email_param: email, phone_param: phone });
  expect((await addresses(`${name}@Bücher.example`, null)).error).toBeNull();
  expect((await client.from('second_contacts').select('email')).data).toEqual([
    { email: `${name}@xn--bcher-kva.example` },
  ]);
  for (const email of ['nobody', 'näme@example.com']) {
    expect((await addresses(email, null)).error).toMatchObject({ code: '22023', message: 'This is no email address' });
  }
  for (const phone of [null, aPhone()]) {
    const { error } = await addresses(phone && anEmail(), phone);
    expect(error).toMatchObject({ code: '23514', message: 'value violates a check constraint' });
  }
});

test('first replies of two contacts at once both arrive', async () => {
  const { owner, item, friend } = await createWatched();
  const other = anEmail();
  expect((await postForm(server, `${await invite(owner, other)}/agree`, {})).status).toBe(303);
  for (let round = 0; round < 5; round += 1) {
    await database.query('delete from public.conversations where item_id = $1', [item.id]);
    await write(item, `Found ${round}`);
    await letTimePass(database, item, '61 minutes');
    const threads: string[] = [];
    for (const address of [friend, other]) {
      const [thread = ''] = pathsIn(await server.delivery.takeEmailTo(address));
      threads.push(thread);
    }
    const sent = await Promise.all(threads.map((thread) => postForm(server, `${thread}/reply`, { body: 'I have it' })));
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    const stored = 'select from public.messages where item_id = $1 and by_contact';
    expect(await database.query(stored, [item.id])).toHaveLength(2);
  }
});

test('an account has three contacts, and no invitation is refused because of others; a number must be one that gets SMS', async () => {
  const owner = await registerOwner(server);
  const friend = anEmail();
  await invite(owner, friend);
  const status = async (by: RegisteredOwner, address: { email_param?: string; phone_param?: string }) =>
    (await by.client.rpc('invite_second_contact', { email_param: null, phone_param: null, ...address })).status;
  expect(await status(owner, { email_param: ` ${friend.toUpperCase()}` })).toBe(409);
  expect(await status(owner, { email_param: 'no address' })).toBe(400);
  expect(await status(owner, { phone_param: 'four' })).toBe(422);
  expect(await status(owner, { email_param: anEmail(), phone_param: aPhone() })).toBe(400);
  await invite(owner);
  await invite(owner);
  expect(await status(owner, { email_param: anEmail() })).toBe(409);
  const others = [await registerOwner(server), await registerOwner(server)];
  const outcomes = [];
  for (const other of others) outcomes.push(await status(other, { email_param: friend }));
  expect(outcomes).toEqual([200, 200]);
});

test('a contact by phone gets the invitation and the notice by SMS, each with one link', async () => {
  const owner = await registerOwner(server, { data: { full_name: 'www.example.com/win Levi' } });
  const item = await createItem(database, owner.user);
  await database.query('update public.items set lost_at = now() where id = $1', [item.id]);
  const phone = aPhone();
  await owner.client.rpc('invite_second_contact', { email_param: null, phone_param: phone }).throwOnError();
  const invitation = await server.delivery.takeSmsTo(phone);
  expect(invitation.text).not.toContain('www');
  const [page = ''] = pathsIn(invitation);
  await postForm(server, `${page}/agree`, {});
  await write(item, 'Found');
  await letTimePass(database, item, '61 minutes');
  const [thread = ''] = pathsIn(await server.delivery.takeSmsTo(phone));
  expect((await open(thread)).html).toContain('Stop being a contact');
});

import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
// Its clock is stopped, so nothing is read again because of its age.
const web = await startTestServer(database, { clock: createTestClock({ stands: true }) });
const owner = await createOwner(database, { email: 'dana+keys@example.com', phone: '+972501234567' });
const item = await createItem(database, owner, { itemName: 'Café keys & co' });
const contact = `/item/${item.qrId}/contact`;

async function openings(): Promise<string[]> {
  const rows = await database.query<{ channel: string }>(
    'select channel from public.channel_openings where item_id = $1 order by channel',
    [item.id],
  );
  return rows.map(({ channel }) => channel);
}

test('choosing a contact method redirects to it with 303, and the owner sees that it was chosen', async () => {
  const targets = new Map<string, string | null>();
  for (const channel of ['whatsapp', 'call', 'email']) {
    const response = await postForm(web, contact, { channel });
    expect(response.status).toBe(303);
    expect(response.headers.get('cache-control')).toBe('no-store');
    targets.set(channel, response.headers.get('location'));
  }
  expect(targets.get('call')).toBe('tel:+972501234567');

  const whatsApp = new URL(targets.get('whatsapp') ?? '');
  expect(whatsApp.origin + whatsApp.pathname).toBe('https://wa.me/972501234567');
  expect(whatsApp.searchParams.get('text')).toContain('Café keys & co');

  const email = new URL(targets.get('email') ?? '');
  expect(email.protocol).toBe('mailto:');
  expect(decodeURIComponent(email.pathname)).toBe('dana+keys@example.com');
  expect(new URLSearchParams(email.search.replaceAll('+', '%2B')).get('subject')).toBe('Found your item - Reunite');
  expect(await openings()).toEqual(['call', 'email', 'whatsapp']);
});

test('a Hebrew name keeps the order of the words around it in prepared messages, the title, and the photo’s description', async () => {
  const itemName = 'המפתחות של אבא';
  const hebrew = await createItem(database, owner, { itemName });
  // Of a photo only its address matters here.
  await database.query(`
    begin;
    set local session_replication_role = replica;
    update public.items set photo = '${owner.id}/photo.webp' where id = '${hebrew.id}';
    commit`);
  const isolated = `\u2068${itemName}\u2069`;
  const path = `/item/${hebrew.qrId}/contact`;
  const whatsApp = new URL((await postForm(web, path, { channel: 'whatsapp' })).headers.get('location') ?? '');
  expect(whatsApp.searchParams.get('text')).toContain(`(${isolated})`);
  const email = new URL((await postForm(web, path, { channel: 'email' })).headers.get('location') ?? '');
  expect(email.searchParams.get('body')).toContain(`(${isolated})`);
  const document = await (await web.request(`/item/${hebrew.qrId}`)).text();
  expect(document).toContain(`alt="Photo of ${isolated}"`);
  expect(/<title>(.*?)<\/title>/.exec(document)?.[1]).toContain(isolated);
});

test('the hour of an opening is kept, not the moment [D31]', async () => {
  const [row] = await database.query<{ exact: boolean }>(
    "select bool_and(opened_at = date_trunc('hour', opened_at)) as exact from public.channel_openings",
  );
  expect(row?.exact).toBe(true);
});

test('the page’s own script gets the same link as JSON', async () => {
  const response = await postForm(web, contact, { channel: 'call' }, { headers: { Accept: 'application/json' } });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ href: 'tel:+972501234567' });
});

test('a contact method that was closed after the page was rendered says so, and reveals nothing [D31]', async () => {
  const closed = await createItem(database, owner);
  await web.request(`/item/${closed.qrId}`);
  await database.query('update public.items set call_enabled = false, email_enabled = false where id = $1', [
    closed.id,
  ]);
  const call = await readDocument(await postForm(web, `/item/${closed.qrId}/contact`, { channel: 'call' }));
  expect(call.status).toBe(409);
  expect(call.html).toContain('Phone number not available for this owner');
  expect(call.everything).not.toContain('972501234567');
  const email = await readDocument(await postForm(web, `/item/${closed.qrId}/contact`, { channel: 'email' }));
  expect(email.html).toContain('Email not available for this owner');
  expect(email.everything).not.toContain('dana+keys');
});

/** Changes a row without announcing it, as for a page that is already open. */
async function withoutWord(statement: string, values: readonly unknown[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query("set local session_replication_role = 'replica'");
    await client.query(statement, [...values]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Notifications arrive in the order of the changes: once that of a newer change is here, no earlier one is pending. */
async function untilEveryWordArrived(): Promise<void> {
  const { qrId, id } = await createItem(database, owner, { itemName: 'Known as it was' });
  await web.request(`/item/${qrId}`);
  await database.query("update public.items set item_name = 'Told of anew' where id = $1", [id]);
  await expect.poll(async () => (await web.request(`/item/${qrId}`)).text()).toContain('Told of anew');
}

test('an owner without an address, without a profile, or deleted: each is reported correctly', async () => {
  const other = await createOwner(database, { fullName: 'Noa Bar', phone: '+972507654321' });
  const { qrId, id } = await createItem(database, other);
  const choose = async () => {
    const response = await postForm(
      web,
      `/item/${qrId}/contact`,
      { channel: 'call' },
      { headers: { Accept: 'application/json' } },
    );
    return [response.status, await response.json()];
  };
  await untilEveryWordArrived();
  await web.request(`/item/${qrId}`);
  await withoutWord('update public.profiles set phone = null, email = null where id = $1', [other.id]);
  expect(await choose()).toEqual([409, { problem: 'Owner profile is missing contact information' }]);

  await web.request(`/item/${qrId}`);
  await withoutWord('delete from public.profiles where id = $1', [other.id]);
  expect(await choose()).toEqual([409, { problem: 'Owner profile not found' }]);
  // The profile was recreated from the account in the meantime.
  expect(await choose()).toEqual([200, { href: 'tel:+972507654321' }]);

  await untilEveryWordArrived();
  await web.request(`/item/${qrId}`);
  await withoutWord(
    `with gone as (delete from public.items where id = $1 returning qr_id)
       update public.qr_codes set owner_id = null where qr_id in (select qr_id from gone)`,
    [id],
  );
  expect(await choose()).toEqual([409, { problem: 'Item has no associated user ID' }]);
});

test('an owner with neither number nor address: the page says so, and that messages wait in the account', async () => {
  const other = await createOwner(database, { fullName: 'Noa Bar', phone: '+972507654322' });
  const { qrId, id } = await createItem(database, other);
  const missing = 'Owner profile is missing contact information';
  const read = async () => (await readDocument(await web.request(`/item/${qrId}`))).html;
  await database.query('update public.profiles set email = null where id = $1', [other.id]);
  await expect.poll(read).toContain('Limited contact info available');
  expect(await read()).not.toContain(missing);

  await database.query('update public.profiles set phone = null where id = $1', [other.id]);
  await expect.poll(read).toContain(missing);
  const html = await read();
  expect(html).toContain('We can’t notify Noa. You can leave a message, and Noa will see it when they next sign in.');
  expect(html).toContain('<form');
  expect(html).not.toContain('Limited contact info available');

  await database.query('update public.items set message_enabled = false where id = $1', [id]);
  await expect.poll(read).not.toContain('<form');
  expect(await read()).toContain(missing);
  expect(await read()).toContain('No contact methods are available for this owner. Please hand it in');
});

test('a page whose owner has no profile says ‘Item Owner’ once, and the name the next time', async () => {
  const other = await createOwner(database, { fullName: 'Noa Bar' });
  const { qrId } = await createItem(database, other);
  await withoutWord('delete from public.profiles where id = $1', [other.id]);
  const first = await readDocument(await web.request(`/item/${qrId}`));
  expect(first.html).toContain('It belongs to Item Owner.');
  expect(first.html).toContain('Limited contact info available');
  const read = async () => (await readDocument(await web.request(`/item/${qrId}`))).html;
  await expect.poll(read).toContain('It belongs to Noa.');
});

test('the twenty-first address in an hour is refused to one visitor, and to no other [D31]', async () => {
  const address = '203.0.113.20';
  const statuses: number[] = [];
  for (let index = 0; index < 21; index += 1) {
    statuses.push((await postForm(web, contact, { channel: 'call' }, { address })).status);
  }
  expect(statuses).toEqual([...Array<number>(20).fill(303), 429]);
  const refused = await postForm(web, contact, { channel: 'email' }, { address });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await readDocument(refused)).everything).not.toContain('dana+keys');
  expect((await postForm(web, contact, { channel: 'call' })).status).toBe(303);
});

test.each([
  ['another site, by Sec-Fetch-Site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
  [
    'another host of the same site',
    { 'Sec-Fetch-Site': 'same-site', Origin: web.url.replace('localhost', 'evil.localhost') },
  ],
  ['an older browser on another site', { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' }],
  ['a null origin', { 'Sec-Fetch-Site': '', Origin: 'null' }],
])('a form that comes from %s is refused and opens nothing [G48]', async (_, headers) => {
  const before = (await openings()).length;
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  const response = await web.request(contact, {
    method: 'POST',
    body: new URLSearchParams({ channel: 'call' }),
    headers: given,
  });
  expect(response.status).toBe(403);
  expect(response.headers.get('location')).toBeNull();
  expect((await openings()).length).toBe(before);
});

test('an older browser on our own page is believed by its origin', async () => {
  const headers = { Origin: web.url };
  const body = new URLSearchParams({ channel: 'call' });
  expect((await web.request(contact, { method: 'POST', body, headers })).status).toBe(303);
});

const FORM = 'application/x-www-form-urlencoded';

test.each<[string, string, BodyInit, number]>([
  ['no channel', FORM, '', 400],
  ['an unknown contact method', FORM, 'channel=fax', 400],
  ['SQL for a contact method', FORM, "channel=call';drop table items--", 400],
  ['NUL', FORM, 'channel=call%00', 400],
  ['JSON', 'application/json', '{"channel":"call"}', 415],
  ['text', 'text/plain', 'channel=call', 415],
  ['two megabytes', FORM, `channel=call&x=${'a'.repeat(2_000_000)}`, 413],
])('bad input gets a 4xx: %s', async (_, type, body, status) => {
  const response = await web.request(contact, {
    method: 'POST',
    body,
    headers: { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(response.status).toBe(status);
});

test('a body without a length is bounded too', async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('a'.repeat(4_096))),
  });
  const response = await web.request(contact, {
    method: 'POST',
    body: endless,
    headers: { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(response.status).toBe(413);
});

test('only POST is allowed, and a code without an item is a 404', async () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const response = await web.request(contact, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  }
  expect((await postForm(web, `/item/${createTagCode()}/contact`, { channel: 'call' })).status).toBe(404);
  expect((await postForm(web, '/item/%2e%2e%2fx/contact', { channel: 'call' })).status).toBe(404);
});

test('an item keeps its newest 1,000 openings', async () => {
  const full = await createItem(database, owner);
  await database.query(
    `insert into public.channel_openings (item_id, owner_id, channel, opened_at)
       select $1, $2, 'email', now() - n * interval '1 hour' from generate_series(1, 1003) as n`,
    [full.id, owner.id],
  );
  expect((await postForm(web, `/item/${full.qrId}/contact`, { channel: 'call' })).status).toBe(303);
  const [kept] = await database.query(
    `select count(*)::int as count, count(*) filter (where channel = 'call')::int as calls,
         min(opened_at) > now() - interval '1000 hours' as are_newest
       from public.channel_openings where item_id = $1`,
    [full.id],
  );
  expect(kept).toEqual({ count: 1_000, calls: 1, are_newest: true });
});

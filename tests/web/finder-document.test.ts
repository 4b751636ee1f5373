import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { FINDER_LANGUAGES } from '#server/languages/load-language.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Canarysurname' });
const item = await createItem(database, owner, {
  itemName: 'House keys <b>&',
  description: 'canary-description',
  noteToFinders: 'Please leave them at the café\n<script>alert(1)</script>',
});
const page = `/item/${item.qrId}`;
const digits = owner.phone.slice(1);
const SECRETS = [
  owner.id,
  owner.email,
  owner.phone,
  digits,
  digits.slice(-7),
  item.id,
  'Canarysurname',
  'canary-description',
];

/** What browsers accept over https. */
const BROWSER = 'gzip, deflate, br, zstd';

test.each([
  [BROWSER, 'gzip'],
  ['gzip', 'gzip'],
  ['br', null],
  ['identity', null],
  ['gzip;q=0', null],
])('the page names the item, the owner, and the open contact methods: to %s as %s', async (accepted, encoding) => {
  const { status, headers, html } = await readDocument(
    await web.request(page, { headers: { 'Accept-Encoding': accepted } }),
  );
  expect(status).toBe(200);
  expect(headers.get('content-encoding')).toBe(encoding);
  expect(html).toContain('House keys &lt;b&gt;&amp;');
  expect(html).toContain('Dana');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  for (const channel of ['whatsapp', 'call', 'email']) expect(html).toContain(`name="channel" value="${channel}"`);
  expect(html).toContain(`action="${page}/message#message"`);
  for (const link of ['/auth?mode=login', '/privacy', '/terms', '/faq']) expect(html).toContain(`href="${link}"`);
});

test('no byte of any response before a contact method is chosen reveals more of the owner than the first name [D31]', async () => {
  const responses = await Promise.all([
    web.request(page, { headers: { 'Accept-Encoding': BROWSER } }),
    web.request(page, { headers: { 'Accept-Encoding': 'identity' } }),
    web.request(`${page}?sent=1`),
    web.request(`/${item.qrId}`),
    web.request(page, { headers: { Cookie: 'reunite_signed_in=1' } }),
    web.request(`${page}/`),
    web.request(`${page}.data`),
    postForm(web, `${page}/message`, { body: '' }),
    postForm(web, `${page}/message`, { body: 'I have it' }),
    postForm(web, `${page}/contact`, { channel: 'fax' }),
    postForm(web, `${page}/contact`, { channel: 'call' }, { headers: { 'Sec-Fetch-Site': 'cross-site' } }),
  ]);
  for (const shown of responses) {
    const { everything } = await readDocument(shown);
    for (const secret of SECRETS) expect(everything).not.toContain(secret);
  }
});

test('an item without a name is described as the owner’s, wherever a finder reads of it', async () => {
  const unnamed = await createItem(database, owner, { itemType: 'other', itemName: 'My Tagged Item' });
  const path = `/item/${unnamed.qrId}`;
  const { html, everything } = await readDocument(await web.request(path));
  expect(html).toContain('<title>Something of Dana’s – Reunite</title>');
  expect(html).toContain('You found something of Dana’s</h1>');
  expect(everything).not.toContain('My Tagged Item');
  for (const channel of ['whatsapp', 'email']) {
    const opened = await postForm(web, `${path}/contact`, { channel });
    const href = decodeURIComponent(opened.headers.get('location') ?? '');
    expect(href).toContain('I found your item. How can I get it back to you?');
  }
});

test('with only messages open the form comes first, and sharing and the limits are small below it', async () => {
  const quiet = await createItem(database, owner);
  await database.query(
    'update public.items set (whatsapp_enabled, call_enabled, email_enabled) = (false, false, false) where id = $1',
    [quiet.id],
  );
  const { html } = await readDocument(await web.request(`/item/${quiet.qrId}`));
  const places = ['</h1>', '<textarea', 'Limited contact info available.', 'data-share'].map((part) =>
    html.indexOf(part),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(html).not.toContain('Contact Dana');
});

/** Text of this many characters that hardly compresses. */
const varied = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join('');

/** As `varied`, of characters that take four bytes. */
const pictures = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x1f300 + ((index * 7919) % 700))).join('');

test.each([
  ['what most owners write', 'Dana Levi', (length: number) => 'Keys of my bike. '.repeat(20).slice(0, length)],
  ['characters of three bytes', 'Dana Levi', varied],
  ['characters of four bytes', 'Dana Levi', pictures],
  ['characters that are escaped', 'Dana Levi', (length: number) => '"'.repeat(length)],
  ['the longest first name', varied(200), varied],
])('the page of a lost item fits into the first flight of a connection with %s', async (_, fullName, text) => {
  const long = await createItem(database, await createOwner(database, { fullName }), {
    itemType: 'custom',
    itemName: text(100).trim(),
    noteToFinders: text(250),
    reward: text(100),
  });
  await database.query(`
    begin;
    -- A photo without the upload of its file.
    set local session_replication_role = replica;
    update public.items set lost_at = now(), photo = user_id || '/photo.webp' where id = '${long.id}';
    commit`);
  const path = `/item/${long.qrId}`;
  const packed = await readDocument(await web.request(path, { headers: { 'Accept-Encoding': BROWSER } }));
  expect(packed.size).toBeLessThan(14_000);
  const sizes: Record<string, number> = {};
  for (const { tag } of FINDER_LANGUAGES) {
    const headers = { 'Accept-Encoding': BROWSER, 'Accept-Language': tag };
    sizes[tag] = (await readDocument(await web.request(path, { headers }))).size;
  }
  const most = 14_000;
  expect(Object.entries(sizes).filter(([, size]) => size >= most)).toEqual([]);
  const plain = await readDocument(await web.request(path, { headers: { 'Accept-Encoding': 'identity' } }));
  expect(packed.html).toBe(plain.html);
});

test('the page fits into the first flight of a connection, with a sent message too', async () => {
  for (const path of [page, `${page}?sent=1`]) {
    const { size } = await readDocument(await web.request(path, { headers: { 'Accept-Encoding': BROWSER } }));
    expect(size, path).toBeLessThan(14_000);
  }
});

test('the page needs nothing else: no stylesheet, no script file, no picture, nothing that blocks', async () => {
  const { html, whole } = await readDocument(await web.request(page));
  expect(whole).not.toMatch(/@import|url\(/);
  expect(html.match(/<link[^>]*>/g)).toEqual(['<link rel="icon" href="/favicon.svg" type="image/svg+xml">']);
  expect(html).not.toMatch(/<img|<iframe|\ssrc=/);
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module">']);
  expect(html.indexOf('<script')).toBeGreaterThan(html.indexOf('</footer>'));
});

test('the policy allows exactly the one style and the one script that are in it [D31] [G49]', async () => {
  const { html, whole, headers } = await readDocument(await web.request(page));
  const policy = headers.get('content-security-policy') ?? '';
  const hash = (text: string | undefined) =>
    `'sha256-${createHash('sha256')
      .update(text ?? '')
      .digest('base64')}'`;
  expect(policy).toContain(
    `script-src ${hash(/<script type="module">(.*?)<\/script>/s.exec(whole)?.[1])} 'strict-dynamic';`,
  );
  expect(policy).toContain(`style-src ${hash(/<style>(.*?)<\/style>/s.exec(whole)?.[1])};`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  // A style attribute would be refused by it, and with it what the page looks like.
  expect(html).not.toMatch(/<[^>]+\sstyle=/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  // Browsers would start another process for it.
  expect(headers.get('cross-origin-opener-policy')).toBeNull();
  expect(headers.get('x-robots-tag')).toBe('noindex');
});

test('a repeated request costs no bytes, until the page has changed', async () => {
  const first = await web.request(page, { headers: { 'Accept-Encoding': BROWSER } });
  const again = await web.request(page, {
    headers: { 'Accept-Encoding': BROWSER, 'If-None-Match': first.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
  expect((await again.arrayBuffer()).byteLength).toBe(0);
});

test('a HEAD request gets the response of GET without the document', async () => {
  const response = await web.request(page, { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBe(0);
});

test('a signed-in user gets the app, under a policy with its own nonce', async () => {
  const cookie = { Cookie: 'reunite_signed_in=1' };
  const [first, second] = await Promise.all([
    readDocument(await web.request(page, { headers: cookie })),
    readDocument(await web.request(page, { headers: cookie })),
  ]);
  expect(first.html).toContain('/assets/entry.client-');
  const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1];
  const nonce = nonceOf(first.headers.get('content-security-policy'));
  expect(nonce).toBeTruthy();
  expect(nonce).not.toBe(nonceOf(second.headers.get('content-security-policy')));
  expect(first.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  for (const script of first.html.match(/<script[^>]*>/g) ?? []) expect(script).toContain(`nonce="${nonce}"`);
  expect(first.html).not.toMatch(/<[^>]+\sstyle=/);
});

test('a cookie that only resembles the hint is ignored', async () => {
  for (const cookie of [
    'xreunite_signed_in=1',
    'reunite_signed_in=10',
    'a=reunite_signed_in=1x',
    'reunite_signed_in=',
  ]) {
    const { html } = await readDocument(await web.request(page, { headers: { Cookie: cookie } }));
    expect(html, cookie).toContain('data-finder');
  }
});

test('a lost item says so, with the note of its owner', async () => {
  const lost = await createItem(database, owner, { noteToFinders: 'Reward!' });
  await database.query('update public.items set lost_at = now() where id = $1', [lost.id]);
  const { html } = await readDocument(await web.request(`/item/${lost.qrId}`));
  expect(html).toContain('Reported lost');
  expect(html).toContain('Reward!');
  expect((await readDocument(await web.request(page))).html).not.toContain('Reported lost');
});

test('a contact method that is switched off is not offered, for the item or for the account', async () => {
  const careful = await createOwner(database);
  const plain = await createItem(database, careful);
  const special = await createItem(database, careful);
  await database.query('update public.profiles set call_enabled = false where id = $1', [careful.id]);
  await database.query('update public.items set call_enabled = true, email_enabled = false where id = $1', [
    special.id,
  ]);
  const first = (await readDocument(await web.request(`/item/${plain.qrId}`))).html;
  expect(first).not.toContain('value="call"');
  expect(first).toContain('value="email"');
  expect(first).toContain('Limited contact info available');
  const second = (await readDocument(await web.request(`/item/${special.qrId}`))).html;
  expect(second).toContain('value="call"');
  expect(second).not.toContain('value="email"');
});

test('the page of an unreachable owner says so and offers no contact method', async () => {
  const item = await createItem(database, owner);
  await database.query(
    `update public.items set whatsapp_enabled = false, call_enabled = false, email_enabled = false, message_enabled = false
       where id = $1`,
    [item.id],
  );
  const { html } = await readDocument(await web.request(`/item/${item.qrId}`));
  expect(html).toContain('No contact methods are available for this owner.');
  for (const action of ['/contact"', '/message#message"']) expect(html).not.toContain(action);
});

test('an unknown code, an unclaimed one, and one whose item was deleted look alike [D30]', async () => {
  const gone = await createItem(database, owner);
  await database.query('delete from public.items where id = $1', [gone.id]);
  const seen = [];
  for (const code of [createTagCode(), await issueTagCode(database), gone.qrId]) {
    const document = await web.request(`/item/${code}`);
    const scan = await web.request(`/${code}`);
    const call = async (name: string) =>
      (
        await web.request(`/rest/v1/rpc/${name}?qr_id_param=${code}`, {
          headers: { apikey: web.secrets.publishableKey },
        })
      ).text();
    const reported = [await document.text(), scan.headers.get('location'), await call('find_item')];
    seen.push(JSON.stringify([document.status, scan.status, ...reported]).replaceAll(code, 'the code'));
  }
  expect(seen[1]).toBe(seen[0]);
  expect(seen[2]).toBe(seen[0]);
  expect(seen[0]).toContain('[404,302,');
});

test('a code without an item: a friendly 404 that offers to tag it; what can be no code offers nothing', async () => {
  const code = createTagCode();
  const free = await readDocument(await web.request(`/item/${code}`));
  expect(free.status).toBe(404);
  expect(free.html).toContain(`href="/auth/${code}"`);
  const impossible = await readDocument(await web.request('/item/%22%3E%3Cscript%3Ex'));
  expect(impossible.status).toBe(404);
  expect(impossible.html).not.toContain('/auth/');
  expect(impossible.html).not.toContain('"><script>');
});

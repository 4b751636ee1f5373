import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { tablesWith } from '#tests/support/tables-with.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';
import { sendReply } from './support/send-reply.ts';

const database = await createTestDatabase();
// Its clock is stopped, so that nothing cached expires by itself.
const web = await startTestServer(database, { clock: createTestClock({ stands: true }) });
const owner = await createOwner(database, { fullName: 'Dana Levi' });

/** A finder who has written once, with the cookie of that browser. */
async function write(item: TestItem, body: string, fields: Record<string, string> = {}): Promise<string> {
  const response = await postForm(web, `/item/${item.qrId}/message`, { body, ...fields });
  expect(response.status).toBe(303);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const asFinder = (Cookie: string) => ({ headers: { Cookie } });

test('the browser with the key sees both sides in the page itself, later too, and no other browser does', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, 'At the café <b>');
  await sendReply(database, owner, item, 'Which one? <script>alert(1)</script>');
  const { status, headers, html } = await readDocument(await web.request(`/item/${item.qrId}`, asFinder(cookie)));
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(html).toContain('Your conversation with Dana');
  // In the order in which it was written, with the form below.
  expect(html.indexOf('At the café &lt;b&gt;')).toBeLessThan(html.indexOf('Which one? &lt;script&gt;'));
  expect(html.indexOf('Which one? &lt;script&gt;')).toBeLessThan(html.indexOf('<textarea'));
  // Replies come before the contact methods, because the finder returns for them.
  expect(html.indexOf('Which one?')).toBeLessThan(html.indexOf('Contact Dana'));
  expect(html).toMatch(/<time dateTime="[^"]+">[^<]+ UTC<\/time>/i);

  // The sticker's address shows the same.
  const scanned = await readDocument(await web.request(`/${item.qrId}`, asFinder(cookie)));
  expect(scanned.headers.get('cache-control')).toBe('private, no-store');
  expect(scanned.html).toBe(html);

  for (const visitor of [{}, asFinder('reunite_finder_key=the-key-of-another-finder')]) {
    const other = await readDocument(await web.request(`/item/${item.qrId}`, visitor));
    expect(other.whole).not.toContain('At the café');
    expect(other.whole).not.toContain('Which one?');
    expect(other.headers.get('cache-control')).toBe('private, no-cache');
  }
});

test('when every contact method is closed during a conversation, the page says that replies still arrive', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, 'At the café');
  await sendReply(database, owner, item, 'Which one?');
  await database.query(
    'update public.items set (whatsapp_enabled, call_enabled, email_enabled, message_enabled) = (false, false, false, false) where id = $1',
    [item.id],
  );
  const read = async () => (await readDocument(await web.request(`/item/${item.qrId}`, asFinder(cookie)))).html;
  await expect.poll(read).toContain('Dana isn’t accepting more messages for this item right now.');
  const html = await read();
  expect(html).toContain('Which one?');
  expect(html).not.toContain('No contact methods are available for this owner.');
  expect(html).not.toContain('<textarea');
});

test('a page returned with an error still shows the conversation, and is not cached', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, 'At the café');
  const refused = await readDocument(
    await postForm(web, `/item/${item.qrId}/message`, { body: ' ' }, asFinder(cookie)),
  );
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('At the café');
  expect(refused.headers.get('cache-control')).toBe('private, no-store');
});

test('the script requests only the conversation, and an unchanged response has no body', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, 'At the café');
  const path = `/item/${item.qrId}/conversation`;
  // Until the notice has left, which the response says.
  await expect.poll(async () => (await web.request(path, asFinder(cookie))).text()).toContain('"state":"delivered"');
  const first = await web.request(path, asFinder(cookie));
  expect(first.headers.get('cache-control')).toBe('private, no-store');
  expect(await first.json()).toMatchObject({ messages: [{ sender: 'finder', body: 'At the café' }] });
  const known = { headers: { Cookie: cookie, 'If-None-Match': first.headers.get('etag') ?? '' } };
  const again = await web.request(path, known);
  expect([again.status, await again.text()]).toEqual([304, '']);
  await sendReply(database, owner, item, 'Thank you!');
  const changed = await web.request(path, known);
  expect((await changed.json()).messages.map(({ body }: { body: string }) => body)).toEqual([
    'At the café',
    'Thank you!',
  ]);
  for (const visitor of [{}, asFinder('reunite_finder_key=short'), asFinder(`reunite_finder_key=${'x'.repeat(32)}`)]) {
    expect(await (await web.request(path, visitor)).json()).toBeNull();
  }
});

test('the first message sent again after its response was lost stays one conversation that its finder can read', async () => {
  const item = await createItem(database, owner);
  const fields = { message_id: randomUUID(), finder_key: 'MadeByTheScriptOfThePage-0123456' };
  await write(item, 'Only once', fields);
  // No cookie has arrived, so the script sends the same again.
  const cookie = await write(item, 'Only once', fields);
  expect(cookie).toBe(`reunite_finder_key=${fields.finder_key}`);
  const { messages } = await (await web.request(`/item/${item.qrId}/conversation`, asFinder(cookie))).json();
  expect(messages).toHaveLength(1);
});

test('a stored key takes precedence over a proposed one, and an invalid proposal is ignored', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, 'One');
  const path = `/item/${item.qrId}/message`;
  const next = await postForm(
    web,
    path,
    { body: 'Two', finder_key: 'another-key-of-the-right-length' },
    asFinder(cookie),
  );
  expect(next.headers.get('set-cookie')?.split(';')[0]).toBe(cookie);
  expect(await write(item, 'Three', { finder_key: 'a b; Path=/' })).toMatch(/^reunite_finder_key=[\w-]{32}$/);
});

test('a finder reads nothing about the owner, and the owner nothing about the finder [D31]', async () => {
  const item = await createItem(database, owner);
  const address = '203.0.113.77';
  const agent = 'CanaryBrowser/1.0';
  const response = await postForm(
    web,
    `/item/${item.qrId}/message`,
    { body: 'Found' },
    { address, headers: { 'User-Agent': agent, 'Accept-Language': 'ka' } },
  );
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  await sendReply(database, owner, item, 'Thanks');
  const page = await readDocument(await web.request(`/item/${item.qrId}`, { ...asFinder(cookie), address }));
  const json = await (await web.request(`/item/${item.qrId}/conversation`, { ...asFinder(cookie), address })).text();
  const key = cookie.split('=')[1] ?? '?';
  for (const secret of [owner.id, owner.email, owner.phone.slice(1), /\bLevi\b/, item.id, key]) {
    expect(page.everything).not.toMatch(secret);
    expect(json).not.toMatch(secret);
  }

  // Everything that the owner can read, after the finder has read the reply.
  const client = web.client({ token: await web.token({ sub: owner.id }) });
  const [conversations, messages] = await Promise.all([
    client.from('conversations').select('id, item_id, owner_id, created_at').eq('item_id', item.id),
    client.from('messages').select().eq('item_id', item.id),
  ]);
  const everything = JSON.stringify([conversations.data, messages.data, web.delivery]);
  for (const secret of [address, agent, cookie.split('=')[1] ?? '?']) expect(everything).not.toContain(secret);
  expect(messages.data?.find(({ sender }) => sender === 'owner')?.read_at).toBeNull();
});

test('where a finder was, and with which device, is in no table, log, or email [D31]', async () => {
  const item = await createItem(database, owner);
  const address = '198.51.100.177';
  const agent = 'CanaryDevice/2.0';
  const from = { address, headers: { 'User-Agent': agent, Referer: 'https://canary-referer.example/' } };
  const path = `/item/${item.qrId}`;
  await web.request(`/${item.qrId}`, from);
  await web.request(path, from);
  expect((await postForm(web, `${path}/message`, { body: 'I have it' }, from)).status).toBe(303);
  expect((await postForm(web, `${path}/contact`, { channel: 'call' }, from)).status).toBe(303);
  expect((await web.request(`/${createTagCode()}`, from)).status).toBe(302);
  // Its mail is the last thing that a message leads to.
  await expect.poll(() => web.delivery.emails.filter(({ text }) => text.includes('I have it'))).toHaveLength(1);
  expect(await tablesWith(database, 'I have it'), 'what is looked for where something is').toContain('public.messages');
  for (const trace of [address, agent, 'canary-referer']) {
    expect(await tablesWith(database, trace), trace).toEqual([]);
    expect(web.logged.join(''), trace).not.toContain(trace);
    expect(JSON.stringify(web.delivery.emails), trace).not.toContain(trace);
  }
});

test.each([
  ['a bidi override', '\u202Eevil\u202C', 'evil'],
  ['an override that never ends', 'safe \u202Egnp.exe', 'safe gnp.exe'],
  ['a link', 'https://evil.example/?q=<img src=x onerror=alert(1)>'],
  ['zero width between letters', 'a\u200bb\u200dc'],
  ['emoji of several code points', '👩‍👩‍👧‍👦🏳️‍🌈'],
])('%s is text in a paragraph of its own direction [D32]', async (_, body, shown = body) => {
  const item = await createItem(database, owner);
  const cookie = await write(item, body);
  await sendReply(database, owner, item, body);
  const { html } = await readDocument(await web.request(`/item/${item.qrId}`, asFinder(cookie)));
  const escaped = shown.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const paragraphs = html.match(/<p dir="auto" data-body=""[^>]*>[^<]*<\/p>/g) ?? [];
  expect(paragraphs.filter((paragraph) => paragraph.includes(`>${escaped}</p>`))).toHaveLength(2);
  expect(html).not.toContain('href="https://evil');
});

test('250 code points pass both ways, 251 neither way, and line breaks are one character each [D32]', async () => {
  const item = await createItem(database, owner);
  const cookie = await write(item, `${'🔑'.repeat(248)}\r\nx`);
  await sendReply(database, owner, item, `${'🔑'.repeat(248)}\r\nx`);
  await expect(sendReply(database, owner, item, '🔑'.repeat(251))).rejects.toThrow('between 1 and 250');
  const { messages } = await (await web.request(`/item/${item.qrId}/conversation`, asFinder(cookie))).json();
  expect(messages.map(({ body }: { body: string }) => body)).toEqual(Array(2).fill(`${'🔑'.repeat(248)}\nx`));
});

test('over https a key that a sibling subdomain plants does not count [K35]', async () => {
  const https = await startTestServer(database, { environment: { PUBLIC_URL: 'https://lost.example.org' } });
  const item = await createItem(database, owner);
  const path = `/item/${item.qrId}`;
  /** The cookies of a browser after a message, without their attributes. */
  const writeOverHttps = async (body: string, Cookie: string) => {
    const response = await postForm(
      https,
      `${path}/message`,
      { body },
      {
        headers: { Cookie, Origin: 'https://lost.example.org' },
      },
    );
    expect(response.status).toBe(303);
    return response.headers.getSetCookie();
  };
  const pairsOf = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';', 1)[0] ?? '');
  const page = async (Cookie: string) => (await readDocument(await https.request(path, { headers: { Cookie } }))).whole;

  const set = await writeOverHttps('Written by the finder', '');
  expect(set.at(-1)).toMatch(/^__Host-reunite_finder=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
  const [key = '', , browser = ''] = pairsOf(set);
  const [planted = ''] = pairsOf(await writeOverHttps('Written by a stranger', ''));
  expect(await page(`${key}; ${browser}`)).toContain('Written by the finder');
  for (const cookies of [planted, key, planted.split('.')[0] ?? '', `${planted}; ${browser}`]) {
    expect(await page(cookies)).not.toContain('Written by');
  }

  // In front of the finder's own, and before the finder has one.
  expect(await page(`${planted}; ${key}; ${browser}`)).toContain('Written by the finder');
  const again = pairsOf(await writeOverHttps('Once more', `${planted}; ${key}; ${browser}`));
  expect(again).toEqual([key, key, browser]);
  const [first = '', , own = ''] = pairsOf(await writeOverHttps('Before there was a key', planted));
  expect(first).not.toBe(planted);
  expect(await page(`${first}; ${own}`)).not.toContain('Written by a stranger');
});

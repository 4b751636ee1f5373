import { expect, test } from 'vitest';
import { isolateName } from '#domain/isolate-name.ts';
import { english } from '#domain/language.ts';
import { describeDetails } from '#domain/texts/describe-details.ts';
import { FINDER_LANGUAGES, loadLanguage } from '#server/languages/load-language.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Levi' });
const item = await createItem(database, owner, { itemName: 'Keys' });
const page = `/item/${item.qrId}`;

const read = async (path: string, headers: Readonly<Record<string, string>>) =>
  readDocument(await web.request(path, { headers }));

test.each(FINDER_LANGUAGES)('a finder whose browser asks for $tag reads the page in it', async ({ tag, direction }) => {
  const { texts } = await loadLanguage(tag);
  for (const encoding of ['gzip', 'identity']) {
    const { html, headers } = await read(page, { 'Accept-Language': `${tag}, en;q=0.5`, 'Accept-Encoding': encoding });
    expect(html).toContain(`<html lang="${tag}" dir="${direction}"`);
    expect(html).toContain(texts.taps.buttons.have_it);
    expect(html, 'the type’s name, which the owner did not change').toContain(`>${texts.itemTypes.keys}</h1>`);
    expect(headers.get('vary')).toContain('Accept-Language');
    expect(headers.get('vary')).toContain('Cookie');
  }
});

test.each(['Schlüssel', 'מפתחות', '钥匙'])(
  'the name of a type in its owner’s language (%s) is in the finder’s, and no other name is',
  async (itemName) => {
    const { qrId } = await createItem(database, owner, { itemName });
    const { texts } = await loadLanguage('th');
    const { html } = await read(`/item/${qrId}`, { 'Accept-Language': 'th' });
    expect(html).toContain(`>${texts.itemTypes.keys}</h1>`);
    expect(html).not.toContain(itemName);
    const own = await createItem(database, owner, { itemName: `${itemName} 2` });
    expect((await read(`/item/${own.qrId}`, { 'Accept-Language': 'th' })).html).toContain(`>${itemName} 2</h1>`);
  },
);

test('no language’s page is served to readers of another, in any order [K99]', async () => {
  const tags = FINDER_LANGUAGES.map(({ tag }) => tag);
  const etags = new Map<string, string | null>();
  for (const tag of [...tags, ...tags.toReversed(), ...tags]) {
    const { html, headers } = await read(page, { 'Accept-Language': tag, 'Accept-Encoding': 'gzip' });
    expect(html).toContain(`<html lang="${tag}"`);
    const etag = headers.get('etag');
    expect(etags.get(tag) ?? etag, 'from memory').toBe(etag);
    etags.set(tag, etag);
  }
  expect(new Set(etags.values()).size).toBe(tags.length);
  for (const tag of tags) {
    const others = tags.filter((other) => other !== tag).map((other) => etags.get(other));
    const headers = { 'Accept-Language': tag, 'Accept-Encoding': 'gzip', 'If-None-Match': others.join(', ') };
    expect((await web.request(page, { headers })).status, 'a copy in another language is not fresh').toBe(200);
  }
});

test.each([
  'x'.repeat(10_000),
  Array.from({ length: 1_500 }, (_, index) => `q${index}`).join(','),
  '__proto__',
  'constructor, toString;q=0.9',
  '*',
  ',;=,q=,-',
])('an Accept-Language that names none of ours (%.20s) is served English [K99]', async (header) => {
  expect((await read(page, { 'Accept-Language': header })).html).toContain('<html lang="en" dir="ltr"');
});

test('a visitor chooses a language without a script, returns to the page before, and the browser keeps the choice', async () => {
  const { tag, direction } = FINDER_LANGUAGES.at(-1) ?? { tag: 'en', direction: 'ltr' };
  expect((await read(page, {})).html).toContain('href="/language"');
  const { html, status } = await read('/language', { Referer: web.url + page });
  expect(status).toBe(200);
  for (const { tag: other, name } of FINDER_LANGUAGES) {
    expect(html).toMatch(
      new RegExp(`<button[^>]* value="${other}" lang="${other}"[^>]*>${name.replaceAll(/[()]/g, '\\$&')}<`),
    );
  }
  expect(html).toContain(`name="back" value="${page}"`);

  const chosen = await postForm(web, '/language', { tag, back: page });
  expect(chosen.status).toBe(303);
  expect(chosen.headers.get('location')).toBe(page);
  const [cookie = ''] = (chosen.headers.get('set-cookie') ?? '').split(';');
  expect(cookie).toBe(`language=${tag}`);
  const shown = await read(page, { Cookie: `other=1; ${cookie}`, 'Accept-Language': 'en' });
  expect(shown.html).toContain(`<html lang="${tag}" dir="${direction}"`);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '///evil.example/a',
  '@evil.example/',
  ':80@evil.example/',
  'https://evil.example/',
  '.evil.example/',
  '/%0d%0aSet-Cookie:a=b',
])('a choice never leads to another site: %s [D36]', async (back) => {
  const response = await postForm(web, '/language', { tag: 'en', back });
  expect(response.status).toBe(303);
  const location = response.headers.get('location') ?? '';
  expect(location).toMatch(/^\/(?![/\\])/);
  expect(new URL(location, web.url).origin).toBe(new URL(web.url).origin);
});

test('a page that only forms are sent to leads back to its item', async () => {
  const { html } = await read('/language', { Referer: `${web.url}${page}/message` });
  expect(html).toContain(`name="back" value="${page}"`);
});

test.each([
  ['no language of ours', { tag: 'eo' }, {}, 400],
  ['a name of the prototype', { tag: '__proto__' }, {}, 400],
  ['none', {}, {}, 400],
  ['another site’s form', { tag: 'en' }, { 'Sec-Fetch-Site': 'cross-site' }, 403],
])('a choice of %s stores nothing', async (_, fields, headers, status) => {
  const response = await postForm(web, '/language', fields, { headers });
  expect(response.status).toBe(status);
  expect(response.headers.get('set-cookie')).toBeNull();
});

test.each(['eo', '__proto__', 'EN', '', 'de%3B'])(
  'a cookie with no language of ours (%s) chooses nothing',
  async (tag) => {
    const { html } = await read(page, { Cookie: `language=${tag}`, 'Accept-Language': 'en' });
    expect(html).toContain('<html lang="en"');
  },
);

test('what a finder says with a tap is stored as a kind, and each reads it in their own language', async () => {
  const found = await createItem(database, owner);
  const path = `/item/${found.qrId}`;
  const fields = { kind: 'left_it', place: 'Café Noir' };
  const { tag } = FINDER_LANGUAGES.find(({ direction }) => direction === 'rtl') ?? { tag: 'en' };
  const sent = await postForm(web, `${path}/message`, fields, { headers: { 'Accept-Language': tag } });
  expect(sent.status).toBe(303);
  const rows = await database.query(`select kind, place, body from public.messages where item_id = '${found.id}'`);
  expect(rows, 'no word of any language').toEqual([{ kind: 'left_it', place: 'Café Noir', body: '' }]);

  const cookies = sent.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  for (const reader of FINDER_LANGUAGES) {
    const { texts } = await loadLanguage(reader.tag);
    const headers = { Cookie: cookies.join('; '), 'Accept-Language': reader.tag };
    const { messages } = await (await web.request(`${path}/conversation`, { headers })).json();
    expect(messages[0].said).toBe(texts.taps.saidAt.left_it(isolateName('Café Noir')));
    const { whole } = await read(path, headers);
    expect(whole).toContain(texts.taps.saidAt.left_it(isolateName('Café Noir')));
    const at = new Date(messages[0].sent_at);
    const format = new Intl.DateTimeFormat(reader.tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
    expect(whole, 'the time as the reader writes it').toContain(texts.conversation.inUtc(format.format(at)));
  }
  expect(
    describeDetails({ kind: 'left_it', place: 'Café Noir', location: null, body: '' }, english.texts, null),
  ).toEqual([`I left it at ${isolateName('Café Noir')}`]);
});

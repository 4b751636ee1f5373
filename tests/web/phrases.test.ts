import { expect, test } from 'vitest';
import { DESKS, FINDER_PHRASES, OWNER_PHRASES } from '#domain/contact/phrases.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { phraseInWords } from '#domain/texts/phrase-in-words.ts';
import { FINDER_LANGUAGES, loadLanguage } from '#server/languages/load-language.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Levi' });

/** A browser that keeps its cookies, without scripts. */
async function begin(language = 'en') {
  const item = await createItem(database, owner, { itemName: 'Keys' });
  let cookie = '';
  const address = `2001:db8::${crypto.randomUUID().slice(0, 4)}`;
  const send = async (fields: Readonly<Record<string, string>>) => {
    const headers = { 'Accept-Language': language, ...(cookie !== '' && { Cookie: cookie }) };
    const sent = await postForm(web, `/item/${item.qrId}/message`, fields, { headers, address });
    const cookies = sent.headers.getSetCookie().map((text) => text.split(';', 1)[0]);
    if (cookies.length > 0) cookie = cookies.join('; ');
    return sent;
  };
  const read = async (path = '', as = language, more: Readonly<Record<string, string>> = {}) => {
    const headers = { Cookie: cookie, 'Accept-Language': as, ...more };
    return readDocument(await web.request(`/item/${item.qrId}${path}`, { headers }));
  };
  expect((await send({ kind: 'have_it' })).status).toBe(303);
  return { item, send, read };
}

const reply = ({ id }: TestItem, fields: Readonly<Record<string, unknown>>) =>
  database.query(
    `insert into public.messages (conversation_id, item_id, owner_id, sender, ${['body', ...Object.keys(fields)].join(', ')})
      select id, item_id, owner_id, 'owner', '', ${Object.keys(fields)
        .map((_, index) => `$${index + 2}`)
        .join(', ')}
        from public.conversations where item_id = $1`,
    [id, ...Object.values(fields)],
  );

const stored = ({ id }: TestItem) =>
  database.query(
    `select kind, body, place, moment at time zone 'UTC' as utc, time_zone, desk, language
      from public.messages where item_id = $1 order by created_at desc limit 1`,
    [id],
  );

test('a finder without a script says each phrase in a plain form, and reads it in the conversation', async () => {
  const { item, send, read } = await begin();
  const cold = await readDocument(await web.request(`/item/${item.qrId}`));
  expect(cold.html, 'not in the page before the first message').not.toContain('value="yes"');
  const page = await read();
  for (const kind of ['yes', 'no', 'thanks', 'can_post']) {
    expect(page.html).toContain(`value="${kind}" formNoValidate`);
  }
  expect(page.html).toContain(`href="/item/${item.qrId}/say"`);

  const say = await read('/say');
  expect(say.status).toBe(200);
  expect(say.html).toContain('type="datetime-local"');
  expect(say.html).toContain('<option>Asia/Tokyo</option>');
  for (const desk of DESKS) expect(say.html).toContain(`value="${desk}"`);

  const sent = await send({
    kind: 'can_bring',
    place: 'Gate 4',
    moment: '2026-11-30T17:00',
    time_zone: 'Asia/Jerusalem',
  });
  expect(sent.headers.get('location')).toBe(`/item/${item.qrId}?sent=1#message`);
  expect(await stored(item)).toMatchObject([
    { kind: 'can_bring', body: '', place: 'Gate 4', time_zone: 'Asia/Jerusalem', desk: null, language: 'en' },
  ]);
  expect((await read()).html).toContain('>I can bring it to Gate 4: Mon, Nov 30, 5:00 PM GMT+2</p>');
  expect((await read('', 'ja')).html).toContain('11月30日(月) 17:00 GMT+2');

  expect((await send({ kind: 'handed_in', desk: 'police', place: '' })).status).toBe(303);
  expect((await read()).html).toContain('>I handed it in to the police</p>');
  expect((await send({ kind: 'yes' })).status).toBe(303);
  expect((await read()).html).toContain('>Yes</p>');
});

test('a finder whose script names the time zone is not asked for it, and reads times in it', async () => {
  const { item, read } = await begin();
  expect((await read('/say?zone=Asia/Tokyo')).html).toContain(
    '<input type="hidden" name="time_zone" value="Asia/Tokyo"/>',
  );
  for (const zone of ['Mars/Olympus', '"><script>', 'A'.repeat(3_000)]) {
    const { html, status } = await read(`/say?zone=${encodeURIComponent(zone)}`);
    expect(status).toBe(200);
    expect(html).toContain('<select');
    expect(html).not.toContain('name="time_zone" value=');
  }
  await reply(item, { kind: 'can_come', moment: '2026-11-30T15:00Z', time_zone: 'Asia/Jerusalem' });
  const said = async (zone?: string) => {
    const { whole } = await read('/conversation', 'en', zone === undefined ? {} : { 'Time-Zone': zone });
    return JSON.parse(whole).messages.at(-1).said;
  };
  expect(await said()).toBe('I can come and get it: Mon, Nov 30, 5:00 PM GMT+2');
  expect(await said('Asia/Tokyo')).toBe('I can come and get it: Tue, Dec 1, 12:00 AM');
  expect(await said('Mars/Olympus'), 'as without one').toBe(await said());
});

test.each([
  ['no time', { kind: 'here_until', moment: '', time_zone: 'UTC' }],
  ['a time without a zone', { kind: 'here_until', moment: '2026-11-30T17:00', time_zone: '' }],
  ['a time that may be left out, without a zone', { kind: 'can_bring', moment: '2026-11-30T17:00', time_zone: '' }],
  ['a hostile zone', { kind: 'here_until', moment: '2026-11-30T17:00', time_zone: "'; drop table" }],
  ['no time of a calendar', { kind: 'here_until', moment: '+275760-09-13T00:00', time_zone: 'UTC' }],
])('%s is asked for again, and the place stays', async (_, fields) => {
  const { item, send } = await begin();
  const refused = await readDocument(await send({ ...fields, place: 'Gate 4' }));
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('Enter a day, a time, and a time zone');
  expect(refused.html).toContain('value="Gate 4"');
  expect(await stored(item)).toMatchObject([{ kind: 'have_it' }]);
});

test.each([{ kind: 'handed_in' }, { kind: 'handed_in', desk: 'bakery' }, { kind: 'yes', desk: 'police' }])(
  'what our forms never send is refused: %j',
  async (fields) => {
    const { item, send } = await begin();
    expect((await send(fields)).status).toBe(400);
    expect(await stored(item)).toMatchObject([{ kind: 'have_it' }]);
  },
);

test('a finder says nothing in an owner’s words', async () => {
  const { item, send } = await begin();
  for (const kind of OWNER_PHRASES.filter((kind) => kind !== 'thanks')) {
    expect((await send({ kind, place: 'Here' })).status, kind).toBe(422);
  }
  expect(await stored(item)).toMatchObject([{ kind: 'have_it' }]);
});

test('a text names the language of its page to who reads another, and has it as its own', async () => {
  const { item, send, read } = await begin('ja');
  await send({ body: 'こんにちは' });
  await reply(item, { kind: 'thanks', language: 'he' });
  await database.query(`update public.messages set body = 'תודה רבה' where item_id = $1 and sender = 'owner'`, [
    item.id,
  ]);
  const { whole } = await read();
  expect(whole, 'the finder’s own').toMatch(/lang="ja"[^>]*>こんにちは</);
  expect(whole).toMatch(/lang="he"[^>]*>תודה רבה</);
  expect(whole).toContain('書かれた言語：ヘブライ語');
  expect(whole.match(/書かれた言語/g), 'not beside the finder’s own text').toHaveLength(1);
  expect((await read('', 'he')).whole, 'not to who reads that language').not.toContain('שפת הכתיבה: עברית');
});

test.each(FINDER_LANGUAGES)(
  'every phrase is said in $tag, with its fields, and in no other language',
  async ({ tag }) => {
    const [{ words }, english] = await Promise.all([loadLanguage(tag), loadLanguage('en')]);
    const fields = { moment: '2026-11-30T15:00:00Z', time_zone: 'UTC', amount: 12.5, currency: 'EUR' };
    const detail = { location: null, body: '', ...fields };
    for (const kind of [...FINDER_PHRASES, ...OWNER_PHRASES]) {
      for (const place of ['Gate 4', 'שער 4', null]) {
        for (const desk of kind === 'handed_in' ? DESKS : [null]) {
          if (kind === 'please_leave' && place === null) continue;
          const message = { ...detail, kind, place, desk };
          const said = phraseInWords(message, { tag, phrases: words.phrases });
          expect(said, kind).toMatch(/\p{Letter}/u);
          expect(said, kind).not.toMatch(/undefined|\bnull\b|\{|NaN|Invalid/);
          if (place !== null && /can_bring|here_until|handed_in|can_come|please_leave/.test(kind)) {
            expect(said).toContain(isolateName(place));
          }
          const inEnglish = phraseInWords(message, { tag: 'en', phrases: english.words.phrases });
          if (tag !== 'en' && kind !== 'no') expect(said).not.toBe(inEnglish);
        }
      }
    }
  },
);

import { expect, test } from 'vitest';
import { FINDER_LANGUAGES } from '#server/languages/load-language.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const clock = createTestClock();
const web = await startTestServer(database, { clock });
const owner = await createOwner(database, { fullName: 'Dana Levi' });
const item = await createItem(database, owner, { itemName: 'Keys' });
const path = `/item/${item.qrId}`;

const read = async (address = path, headers: Readonly<Record<string, string>> = {}) =>
  readDocument(await web.request(address, { headers: { 'Accept-Encoding': 'gzip', ...headers } }));

const operator = web.client({ key: web.secrets.secretKey });

/** Open on each day of the week for these hours. */
const everyDay = (...spans: readonly (readonly [string, string])[]) => Array.from({ length: 7 }, () => spans);

async function addDesk(name: string, week = everyDay(['00:00', '00:00']), place = 'Hall 2'): Promise<string> {
  const { data, error } = await operator.rpc('save_desk', {
    name_param: name,
    place_param: place,
    time_zone_param: 'UTC',
    week_param: week,
    phone_param: '+49 30 1234567',
    languages_param: ['de', 'fr'],
  });
  if (error !== null) throw error;
  return data;
}

const removeDesk = (id: string) => operator.rpc('remove_desk', { desk_id_param: id });

test('a page without desks has none, and one that is added is on it at once, until it is removed', async () => {
  const before = await read();
  expect(before.html).not.toContain('handed_in');
  const id = await addDesk('Central station');
  await expect.poll(async () => (await read()).html).toContain('Central station');
  const { html, headers } = await read();
  expect(html).toContain('Always open');
  expect(html.match(/<button[^>]* value="([^"]+)"[^>]* name="desk">([^<]+)/)?.slice(1)).toEqual([
    id,
    'I handed it in there',
  ]);
  const again = await web.request(path, {
    headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': headers.get('etag') ?? '' },
  });
  expect(again.status, 'from memory').toBe(304);
  expect((await read(path, { 'Accept-Language': 'de' })).html).toContain('Ich habe es dort abgegeben');
  await removeDesk(id);
  await expect.poll(async () => (await read()).html).toBe(before.html);
});

test('a cached page says when a desk closes, and has closed at that moment', async () => {
  // In three hours of the server's clock, on a full minute.
  const at = (hours: number) => new Date(clock.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const id = await addDesk('Town hall', everyDay([at(-1), at(3)]));
  const other = await addDesk('Airport', everyDay([at(5), at(6)]));
  await expect.poll(async () => (await read()).html).toContain('Airport');
  const shown = async () => (await read(path, { 'Accept-Language': 'en' })).html.replaceAll('\u202f', ' ');
  expect(await shown()).toMatch(/Town hall.*Open until.*Airport.*Opens/s);
  clock.advance(3 * 3_600_000 + 60_000);
  expect(await shown()).toMatch(/Town hall.*Opens.*Airport.*Opens/s);
  clock.advance(2 * 3_600_000);
  expect(await shown(), 'open ones come first').toMatch(/Airport.*Open until.*Town hall.*Opens/s);
  for (const desk of [id, other]) await removeDesk(desk);
});

test('one tap without a script names the desk to the owner, also one that was renamed or removed meanwhile', async () => {
  const id = await addDesk('Central station', undefined, 'Hall 2');
  const send = (desk: string, fields: Readonly<Record<string, string>> = {}) =>
    postForm(web, `${path}/message`, { kind: 'handed_in', desk, ...fields });
  const stored = () =>
    database.query(
      `select kind, desk, place, desk_id from public.messages where item_id = $1 order by created_at desc, id desc limit 1`,
      [item.id],
    );
  const again = { message_id: crypto.randomUUID(), finder_key: 'k'.repeat(32) };
  const sent = await send(id.toUpperCase(), again);
  expect(sent.headers.get('location')).toBe(`${path}?sent=1#message`);
  const named = { kind: 'handed_in', desk: 'desk', place: 'Central station, Hall 2', desk_id: id };
  expect(await stored()).toEqual([named]);
  await database.query("update public.desks set name = 'Main station' where id = $1", [id]);
  expect((await send(id, again)).status, 'sent again').toBe(303);
  expect(await stored()).toEqual([named]);

  await removeDesk(id);
  expect((await send(id)).status).toBe(303);
  expect(await stored()).toEqual([{ ...named, place: 'Main station, Hall 2' }]);
  expect((await send(crypto.randomUUID())).status, 'unknown').toBe(303);
  expect(await stored()).toEqual([{ kind: 'handed_in', desk: 'desk', place: null, desk_id: null }]);
  for (const wrong of ['', 'nowhere', `${id}x`]) expect((await send(wrong)).status).toBe(400);
});

test('a double tap sends one message, where a page is rendered for its request', async () => {
  const id = await addDesk('N'.repeat(60), undefined, 'P'.repeat(100));
  await expect.poll(async () => (await read(`${path}/desks`)).html).toContain(id);
  const fieldsOf = (html: string) => {
    const form = html.slice(html.indexOf('name="kind"'));
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)?.[1] ?? 'none';
    return { kind: 'handed_in', desk: id, message_id: field('message_id'), finder_key: field('finder_key') };
  };
  const wrong = await postForm(web, `${path}/message`, { body: 'x'.repeat(251) });
  for (const html of [(await read(`${path}/desks`)).html, await wrong.text()]) {
    const fields = fieldsOf(html);
    const stored = () =>
      database.query('select place from public.messages where id = $1 and item_id = $2', [fields.message_id, item.id]);
    const taps = await Promise.all([1, 2].map(() => postForm(web, `${path}/message`, fields)));
    expect(taps.map(({ status }) => status)).toEqual([303, 303]);
    // Neither the name nor the place is cut.
    expect(await stored()).toEqual([{ place: `${'N'.repeat(60)}, ${'P'.repeat(100)}` }]);
    const cookies = taps.map(({ headers }) => headers.getSetCookie());
    for (const [cookie = ''] of cookies) {
      const opened = await web.request(path, { headers: { cookie: cookie.split(';')[0] ?? '' } });
      expect(await opened.text(), 'either response opens the conversation').toContain('N'.repeat(60) + ', P');
    }
  }
  await removeDesk(id);
});

test('the page of all desks has each with its number and languages; a page names three', async () => {
  const ids = await Promise.all(['A1', 'B2', 'C3', 'D4', '<b>E5'].map((name) => addDesk(name)));
  await expect.poll(async () => (await read(`${path}/desks`)).html.match(/name="desk"/g)?.length).toBe(5);
  const { html, whole } = await read(`${path}/desks`);
  expect(whole).toContain('<bdi>+49 30 1234567</bdi> · <bdi>German</bdi> · <bdi>French</bdi>');
  expect(html).toContain('&lt;b&gt;E5');
  const page = (await read()).html;
  expect(page.match(/name="desk"/g)).toHaveLength(3);
  expect(page).toContain(`href="${path}/desks"`);

  await database.query('update public.items set message_enabled = false where id = $1', [item.id]);
  await expect.poll(async () => (await read()).html).not.toContain('name="desk"');
  expect((await read()).html, 'still named').toMatch(/A1|B2|C3|D4|E5/);
  await database.query('update public.items set message_enabled = null where id = $1', [item.id]);
  for (const id of ids) await removeDesk(id);
});

/** Text of this many characters that hardly compresses. */
const varied = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join('');

test('with the longest desks the page fits into the first flight of a connection, with fewer of them where it must', async () => {
  const long = await createItem(database, await createOwner(database, { fullName: varied(200) }), {
    itemType: 'custom',
    itemName: varied(100),
    noteToFinders: varied(250),
    reward: varied(100),
  });
  const week = everyDay([
    new Date(clock.now() - 3_600_000).toISOString().slice(11, 16),
    new Date(clock.now() - 7_200_000).toISOString().slice(11, 16),
  ]);
  for (const name of ['A', 'B', 'C', 'D']) await addDesk(name + varied(59), week, varied(100));
  await expect.poll(async () => (await read(`${path}/desks`)).html.match(/name="desk"/g)?.length).toBe(4);
  const sizes: Record<string, number> = {};
  const desksOn: Record<string, number> = {};
  for (const { tag } of FINDER_LANGUAGES) {
    const crowded = await read(`/item/${long.qrId}`, { 'Accept-Language': tag });
    sizes[tag] = crowded.size;
    const usual = await read(path, { 'Accept-Language': tag });
    sizes[`${tag}, usual`] = usual.size;
    desksOn[tag] = usual.html.match(/name="desk"/g)?.length ?? 0;
  }
  expect(Object.entries(sizes).filter(([, size]) => size >= 14_000)).toEqual([]);
  expect(
    Object.entries(desksOn).filter(([, count]) => count < 3),
    'beside what most owners write',
  ).toEqual([]);
});

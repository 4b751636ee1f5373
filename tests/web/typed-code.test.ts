import { expect, test } from 'vitest';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { LIMITS } from '#server/limits/limits.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode, issueTagCode } from '#tests/support/factories/create-tag-code.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database);
const { qrId: tagged } = await createItem(database, owner, { itemName: 'House keys' });
const typed = typedCodeOf(tagged);
const unknown = typedCodeOf(createTagCode());
/** One character of a real code is another one. */
const mistyped = typed.replace(/.$/, (last) => (last === '7' ? '8' : '7'));

const target = async (path: string) => {
  const response = await web.request(path);
  return [response.status, response.headers.get('location')];
};

test('the finder’s page shows the code that is on the sticker, and the code leads to that page', async () => {
  const { html } = await readDocument(await web.request(`/${tagged}`));
  expect(html).toContain(typed);
  expect(await target(`/f/${typed}`)).toEqual([302, `/${tagged}`]);
  expect(await target(`/f/${typed.toLowerCase().replaceAll('-', '%20')}`)).toEqual([302, `/${tagged}`]);
});

test('a sticker that is not claimed yet has its typed code, and a claimed one without an item too', async () => {
  const unclaimed = await issueTagCode(database);
  expect(await target(`/f/${typedCodeOf(unclaimed)}`)).toEqual([302, `/${unclaimed}`]);
  const claimed = createTagCode();
  await database.query('select internal.claim_code($1, $2)', [claimed, owner.id]);
  expect(await target(`/f/${typedCodeOf(claimed)}`)).toEqual([302, `/${claimed}`]);
});

test('a typed code leads nowhere once its tag code is free again and was never issued', async () => {
  const { qrId } = await createItem(database, owner);
  await database.query('delete from public.items where qr_id = $1', [qrId]);
  expect(await target(`/f/${typedCodeOf(qrId)}`)).toEqual([404, null]);
});

test('/found is a form that works without scripts, and leads on from whatever a sticker shows', async () => {
  const { status, html, headers } = await readDocument(await web.request('/found'));
  expect(status).toBe(200);
  expect(headers.get('set-cookie')).toBeNull();
  expect(html).toMatch(/<form[^>]*action="\/found"/);
  expect(html).toMatch(/<label for="typed-code"[^>]*>Code on the sticker<\/label>/);
  expect(html).toMatch(/<input[^>]*name="typed"/);

  const sent = (text: string) => target(`/found?typed=${encodeURIComponent(text)}`);
  expect(await sent(` ${typed.toLowerCase()} `)).toEqual([303, `/f/${typed}`]);
  expect(await sent(tagged)).toEqual([303, `/${tagged}`]);
  expect(await sent(`https://lost.example.org/${tagged}`)).toEqual([303, `/${tagged}`]);
  expect(await sent(`https://elsewhere.example/f/${typed}`)).toEqual([303, `/f/${typed}`]);
});

test.each([
  ['', 'Type the code first.'],
  ['P73H-3C95', 'Something is missing: a code has 16 characters, and this one has 8.'],
  [`${typed}-7`, 'That’s too long: a code has 16 characters, and this one has 17.'],
  [`${typed.slice(0, -2)}!${typed.slice(-1)}`, 'Our codes have no “!”. Compare it with the sticker.'],
  [`<b>"${'x'.repeat(500)}`, 'Our codes have no “&lt;”. Compare it with the sticker.'],
])('/found says what is wrong with %j, and shows it again', async (text, problem) => {
  const { status, html } = await readDocument(await web.request(`/found?typed=${encodeURIComponent(text)}`));
  expect(status).toBe(422);
  expect(html.replaceAll(/ class="[^"]*"/g, '')).toContain(`<p id="typed-code-error">${problem}</p>`);
  expect(html).toContain('aria-describedby="typed-code-error typed-code-hint"');
  expect(html).not.toContain('<b>');
  expect(html.length).toBeLessThan(20_000);
  if (!text.includes('<')) expect(html).toContain(`value="${text}"`);
});

test('a slip is reported without a look-up, and costs nothing of the limit; an unknown code is a miss', async () => {
  const address = anAddress();
  const ask = (code: string) => web.request(`/f/${code}`, { address });
  for (let slip = 0; slip < 5; slip += 1) {
    const { status, html } = await readDocument(await ask(mistyped));
    expect(status).toBe(422);
    expect(html).toContain('One character is wrong, or two are swapped.');
  }
  const { status, html } = await readDocument(await ask(unknown));
  expect(status).toBe(404);
  expect(html).toContain('No sticker in use has this code.');
  expect(html).toContain(`value="${unknown}"`);

  for (let miss = 1; miss < LIMITS.find_item_miss.points; miss += 1) expect((await ask(unknown)).status).toBe(404);
  const refused = await ask(unknown);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // A typed code has fewer than 80 bits, so a hit would reveal as much as a miss (decision 45).
  expect((await ask(typed)).status).toBe(429);
  expect((await web.request(`/${tagged}`, { address })).status).toBe(200);
  expect((await ask(mistyped)).status).toBe(422);
});

test('the same limit counts look-ups over the API, and a hit costs nothing', async () => {
  const address = anAddress();
  const client = web.client({ address });
  const find = (typedCode: string) => client.rpc('find_typed_code', { typed_code_param: typedCode });
  for (let hit = 0; hit <= LIMITS.find_item_miss.points; hit += 1) expect((await find(typed)).data).toBe(tagged);
  expect((await find(typed.replaceAll('-', ''))).data).toBe(tagged);
  for (let miss = 0; miss < LIMITS.find_item_miss.points; miss += 1) expect((await find(unknown)).data).toBeNull();
  expect((await find(unknown)).status).toBe(429);
  expect((await find(typed)).status).toBe(429);
  expect((await web.request(`/f/${typed}`, { address })).status).toBe(429);
});

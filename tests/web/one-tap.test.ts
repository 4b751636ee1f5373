import { expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const web = await startTestServer(database);
const owner = await createOwner(database, { fullName: 'Dana Levi' });

const send = (qrId: string, fields: Record<string, string>) => postForm(web, `/item/${qrId}/message`, fields);

const stored = (itemId: string) =>
  database.query(
    'select body, kind, place, latitude::float8, longitude::float8, location_exact from public.messages where item_id = $1 order by created_at',
    [itemId],
  );

test('a tap with a place and a location is read by both sides, and in the email and the export', async () => {
  const item = await createItem(database, owner, { itemName: 'House keys' });
  // As the page's form sends it: the script rounds already, and the server rounds again.
  const sent = await send(item.qrId, {
    kind: 'left_it',
    place: ' Café <Noir>\t4 ',
    latitude: '32.08123',
    longitude: '-34.78999',
    body: '',
  });
  expect(sent.status).toBe(303);
  expect(await stored(item.id)).toEqual([
    { body: '', kind: 'left_it', place: 'Café <Noir> 4', latitude: 32.08, longitude: -34.79, location_exact: false },
  ]);

  const headers = { Cookie: sent.headers.get('set-cookie')?.split(';')[0] ?? '' };
  const { html } = await readDocument(await web.request(`/item/${item.qrId}`, { headers }));
  expect(html).toContain('>I left it at Café &lt;Noir&gt; 4\nLocation: 32.08, -34.79, to about a kilometer</p>');
  const { messages } = await (await web.request(`/item/${item.qrId}/conversation`, { headers })).json();
  expect(messages).toMatchObject([
    {
      kind: 'left_it',
      place: 'Café <Noir> 4',
      location: { latitude: 32.08, longitude: -34.79, exact: false },
      said: 'I left it at Café <Noir> 4\nLocation: 32.08, -34.79, to about a kilometer',
    },
  ]);

  const mail = await web.delivery.takeEmailTo(owner.email);
  expect(mail.text).toContain('> I left it at Café <Noir> 4\n> Location: 32.08, -34.79, to about a kilometer\n');
  expect(mail.text).toContain('https://www.openstreetmap.org/?mlat=32.08&mlon=-34.79#map=13/32.08/-34.79');

  const [exported] = await database.query<{ data: { messages: unknown } }>('select public.export_account($1) as data', [
    owner.id,
  ]);
  expect(exported?.data.messages).toMatchObject([{ kind: 'left_it', place: 'Café <Noir> 4', latitude: 32.08 }]);
});

test('a tap can have a text, a text can have a place, and an exact location is one the finder chose', async () => {
  const item = await createItem(database, owner);
  expect((await send(item.qrId, { kind: 'have_it', body: 'Until six' })).status).toBe(303);
  const exact = { body: 'Under the bench', place: 'Park', latitude: '32.0812345', longitude: '34.5', exact: '1' };
  expect((await send(item.qrId, exact)).status).toBe(303);
  expect(await stored(item.id)).toEqual([
    { body: 'Until six', kind: 'have_it', place: null, latitude: null, longitude: null, location_exact: null },
    {
      body: 'Under the bench',
      kind: 'text',
      place: 'Park',
      latitude: 32.08123,
      longitude: 34.5,
      location_exact: true,
    },
  ]);
});

test('a place that is too long is explained, and what was typed stays', async () => {
  const item = await createItem(database, owner);
  const place = 'x'.repeat(101);
  const refused = await readDocument(await send(item.qrId, { kind: 'saw_it', place, body: 'Hello' }));
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('Keep the place to 100 characters or fewer');
  expect(refused.html).toContain(`value="${place}"`);
  expect(refused.html).toContain('>Hello</textarea>');
  expect(await stored(item.id)).toEqual([]);
});

test.each([
  { kind: 'took_it' },
  { kind: 'have_it', latitude: '1' },
  { kind: 'have_it', latitude: '91', longitude: '0' },
  { kind: 'have_it', latitude: '1e1', longitude: '0' },
])('what the page never sends is refused: %j', async (fields) => {
  const item = await createItem(database, owner);
  expect((await send(item.qrId, { body: 'Hello', ...fields })).status).toBe(400);
  expect(await stored(item.id)).toEqual([]);
});

test('a tap that is pressed twice without a script is one message, and each response opens its conversation', async () => {
  const item = await createItem(database, owner);
  const tap = (headers: Record<string, string> = {}, fields: Record<string, string> = { kind: 'have_it' }) =>
    postForm(web, `/item/${item.qrId}/message`, fields, { headers, address: '127.0.0.77' });
  const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';
  // At once, before a response; then again, with the cookie of the first.
  const [first, second] = await Promise.all([tap(), tap()]);
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(cookieOf(second)).toBe(cookieOf(first));
  await tap({ Cookie: cookieOf(first) });
  expect(await stored(item.id)).toMatchObject([{ kind: 'have_it' }]);

  // Another tap, and another browser at the same address, are others.
  await tap({ Cookie: cookieOf(first) }, { kind: 'saw_it', place: 'Park' });
  const other = await tap({ 'User-Agent': 'Another' });
  expect(cookieOf(other)).not.toBe(cookieOf(first));
  const kinds = (await stored(item.id)).map((message) => Object(message).kind);
  expect(kinds).toEqual(['have_it', 'saw_it', 'have_it']);
  const conversations = await database.query('select id from public.conversations where item_id = $1', [item.id]);
  expect(conversations).toHaveLength(2);
});

import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { aCameraPicture, anAnimation, aPicture } from '#tests/contract/storage/support/pictures.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { postForm } from './support/post-form.ts';
import { readDocument } from './support/read-document.ts';

const database = await createTestDatabase();
const dataDirectory = await temporaryFolder();
const web = await startTestServer(database, { dataDirectory, environment: { STORAGE_ACCOUNT_QUOTA: '1000' } });
const owner = await createOwner(database, { fullName: 'Dana Levi' });
const ownClient = web.client({ token: await web.token(owner.caller.claims) });
const BUCKET = 'message-photos';

/** A finder's browser, which has written about an item. */
interface Finder {
  readonly item: TestItem;
  readonly messageId: string;
  readonly cookie: string;
}

const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

async function write(item: TestItem, cookie = ''): Promise<Finder> {
  const messageId: string = crypto.randomUUID();
  const fields = { body: 'I have it', message_id: messageId };
  const sent = await postForm(web, `/item/${item.qrId}/message`, fields, { headers: { Cookie: cookie } });
  expect(sent.status).toBe(303);
  return { item, messageId, cookie: cookieOf(sent) };
}

const pathOf = ({ item, messageId }: Finder) => `/item/${item.qrId}/photo/${messageId}`;

/** Posts a photo as the page's script does. */
function post(finder: Finder, picture: BodyInit, address = anAddress()): Promise<Response> {
  return web.request(pathOf(finder), {
    method: 'POST',
    body: picture,
    address,
    headers: { Cookie: finder.cookie, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'image/jpeg' },
  });
}

interface FormParts {
  readonly fields?: Readonly<Record<string, string>>;
  readonly photo?: Blob;
}

/** Posts the form as a browser without scripts does. */
function postMultipart(
  { qrId }: TestItem,
  { fields = { body: 'I have it' }, photo = new Blob([]) }: FormParts,
  address = anAddress(),
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('photo', photo, photo.size === 0 ? '' : 'IMG_1234.JPG');
  return web.request(`/item/${qrId}/message`, {
    method: 'POST',
    body: form,
    address,
    headers: { 'Sec-Fetch-Site': 'same-origin', Origin: web.url },
  });
}

const see = (path: string, cookie = '') => web.request(path, { headers: { Cookie: cookie } });

const stored = (item: TestItem) =>
  database.query<{ body: string; photo: boolean }>(
    'select body, photo from public.messages where item_id = $1 order by created_at',
    [item.id],
  );

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(dataDirectory, 'storage', folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Only used as a part of a form. */
const asBlob = (bytes: Buffer) => new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' });

describe('a photo of a finder', () => {
  test('comes with the form of a browser without scripts, and only the two sides see it, without metadata', async () => {
    const item = await createItem(database, owner);
    const secret = randomBytes(12).toString('hex');
    const fields = { kind: 'saw_it', body: '', place: 'Café' };
    const sent = await postMultipart(item, { fields, photo: asBlob(await aCameraPicture(secret)) });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/item/${item.qrId}?sent=1#message`]);
    expect(await stored(item)).toEqual([{ body: '', photo: true }]);

    const cookie = cookieOf(sent);
    const { html } = await readDocument(await see(`/item/${item.qrId}`, cookie));
    const [, path = ''] = /<a href="([^"]+)"><img src="\1\?small" alt="The photo you sent"/.exec(html) ?? [];
    const whole = await see(path, cookie);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 60, height: 80 });
    for (const trace of [secret, 'GPS', 'Exif']) expect(bytes.includes(trace), trace).toBe(false);
    expect((await see(`${path}?small`, cookie)).status).toBe(200);

    // Neither a stranger, nor another finder of the same item, nor another owner.
    const other = await write(item);
    const stranger = web.client({ token: await web.token((await createOwner(database)).caller.claims) });
    const [, messageId = ''] = /photo\/(.+)$/.exec(path) ?? [];
    for (const refused of [await see(path), await see(path, other.cookie)]) {
      expect([refused.status, refused.headers.get('cache-control')]).toEqual([404, 'no-store']);
    }
    const asStranger = await stranger.storage.from(BUCKET).download(`${messageId}.webp`);
    expect(asStranger.data).toBeNull();
    const asOwner = await ownClient.storage.from(BUCKET).download(`${messageId}.webp`);
    expect(Buffer.from((await asOwner.data?.arrayBuffer()) ?? new ArrayBuffer()).equals(bytes)).toBe(true);
    const put = await ownClient.storage.from(BUCKET).upload('mine.webp', bytes, { contentType: 'image/webp' });
    expect(put.error?.message).toMatch(/row-level security/);
  });

  test('needs no word and no tap: both sides, and the email, read that there is one', async () => {
    const item = await createItem(database, owner);
    const sent = await postMultipart(item, { fields: { body: '' }, photo: asBlob(await aPicture().jpeg().toBuffer()) });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/item/${item.qrId}?sent=1#message`]);
    const { html } = await readDocument(await see(`/item/${item.qrId}`, cookieOf(sent)));
    expect(html).toMatch(/I took a photo.*<img src="[^"]+" alt="The photo you sent"/s);
    await expect.poll(async () => (await web.delivery.takeEmailTo(owner.email)).text).toContain('> I took a photo\n');
    const { data } = await ownClient.from('messages').select('kind, body, photo').eq('item_id', item.id).single();
    expect(data).toEqual({ kind: 'photo', body: '', photo: true });
  });

  test('follows the message of the script, once, however often it is sent', async () => {
    const finder = await write(await createItem(database, owner));
    const red = await aPicture(40, 30, '#f00').jpeg().toBuffer();
    for (let attempt = 0; attempt < 2; attempt += 1) expect((await post(finder, red)).status).toBe(200);
    const green = await aPicture(30, 40, '#0f0').jpeg().toBuffer();
    const both = await Promise.all([post(finder, green), post(finder, red)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const shown = await see(pathOf(finder), finder.cookie);
    expect(await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).toMatchObject({ width: 40, height: 30 });
    const { messages } = await (await see(`/item/${finder.item.qrId}/conversation`, finder.cookie)).json();
    expect(messages).toMatchObject([{ id: finder.messageId, photo: true }]);
  });

  test('of two that arrive for one message at once, one is kept, and no file of the other', async () => {
    const before = await filesIn('blobs');
    const finder = await write(await createItem(database, owner));
    const pictures = await Promise.all(['#f00', '#0f0'].map((color) => aPicture(40, 30, color).jpeg().toBuffer()));
    const outcomes = await Promise.all(pictures.map((picture) => post(finder, picture)));
    for (const { status } of outcomes) expect([200, 503]).toContain(status);
    expect((await stored(finder.item))[0]).toMatchObject({ photo: true });
    expect((await filesIn('blobs')).length - before.length).toBe(2);
  });

  test('goes with its conversation, and an operator can remove it alone', async () => {
    const picture = await aPicture().jpeg().toBuffer();
    const item = await createItem(database, owner);
    const [kept, gone] = [await write(item), await write(item)];
    for (const finder of [kept, gone]) expect((await post(finder, picture)).status).toBe(200);
    const files = await database.query<{ file: string }>(
      `select unnest(array[version, renditions -> 0 ->> 'version']) as file from storage.objects
         where bucket_id = $1 and name = any ($2)`,
      [BUCKET, [`${gone.messageId}.webp`]],
    );
    const leftOf = async () => (await filesIn('blobs')).filter((name) => files.some(({ file }) => file === name));
    expect(await leftOf()).toHaveLength(2);

    const service = web.client({ key: web.secrets.secretKey });
    const removal = await service.storage.from(BUCKET).remove([`${kept.messageId}.webp`]);
    expect(removal.data).toHaveLength(1);
    expect(await stored(item)).toEqual([
      { body: 'I have it', photo: false },
      { body: 'I have it', photo: true },
    ]);
    await database.query(
      'delete from public.conversations where id = (select conversation_id from public.messages where id = $1)',
      [gone.messageId],
    );
    expect((await see(pathOf(gone), gone.cookie)).status).toBe(404);
    expect(await database.query('select from storage.objects where name = $1', [`${gone.messageId}.webp`])).toEqual([]);
    await expect.poll(leftOf).toEqual([]);
  });
});

describe('a photo that is not taken', () => {
  const text = new Blob(['not a picture'.repeat(100)]);
  const large = new Blob([new Uint8Array(12 * 1024 * 1024 + 1)]);

  test.each([
    ['no picture', async () => text, 'refused', 'Choose another picture'],
    ['animated', async () => asBlob(await anAnimation()), 'refused', 'Choose another picture'],
    ['larger than 12 MB', async () => large, 'refused', 'Choose another picture'],
  ])('is left out of its message, which says so: %s', async (_, makePhoto, outcome, words) => {
    const item = await createItem(database, owner);
    const sent = await postMultipart(item, { photo: await makePhoto() });
    expect(sent.headers.get('location')).toBe(`/item/${item.qrId}?sent=1&photo=${outcome}#message`);
    expect(await stored(item)).toEqual([{ body: 'I have it', photo: false }]);
    const { html } = await readDocument(await see(`/item/${item.qrId}?sent=1&photo=${outcome}`, cookieOf(sent)));
    expect(html).toContain(`Your message was sent, but we couldn’t add the photo. ${words}`);
    expect(await filesIn('arriving')).toEqual([]);
  });

  test('is refused to the script as well, which keeps the message', async () => {
    const finder = await write(await createItem(database, owner));
    for (const body of [text, large, new Blob([])]) {
      const refused = await post(finder, body);
      expect(refused.status).toBe(422);
      expect(await refused.json()).toEqual({ problem: expect.stringContaining('Choose another picture') });
    }
    expect(await stored(finder.item)).toEqual([{ body: 'I have it', photo: false }]);
    expect(await filesIn('arriving')).toEqual([]);
  });

  test('belongs to a message of another conversation, of a blocked finder, or of yesterday, or there is no such message', async () => {
    const picture = await aPicture().jpeg().toBuffer();
    const item = await createItem(database, owner);
    const [finder, other] = [await write(item), await write(item)];
    const crossed = [
      { ...finder, messageId: other.messageId },
      { ...finder, messageId: crypto.randomUUID() },
      { ...finder, cookie: '' },
      { ...finder, messageId: 'photo' },
    ];
    for (const wrong of crossed) expect((await post(wrong, picture)).status).toBe(409);
    await database.query('update public.conversations set blocked_at = now() where item_id = $1', [item.id]);
    expect((await post(finder, picture)).status).toBe(409);
    await database.query('update public.conversations set blocked_at = null where item_id = $1', [item.id]);
    await database.query("update public.messages set created_at = now() - interval '25 hours' where id = $1", [
      finder.messageId,
    ]);
    expect((await post(finder, picture)).status).toBe(409);
    expect(await stored(item)).not.toContainEqual(expect.objectContaining({ photo: true }));
  });

  test('is one of another site, or of a method that changes nothing', async () => {
    const finder = await write(await createItem(database, owner));
    const headers = { Cookie: finder.cookie, 'Sec-Fetch-Site': 'cross-site' };
    const body = await aPicture().jpeg().toBuffer();
    expect((await web.request(pathOf(finder), { method: 'POST', body, headers })).status).toBe(403);
    expect((await web.request(pathOf(finder), { method: 'PUT', body })).status).toBe(405);
  });

  test('is the eleventh of a conversation; the owner’s own room is not used up', async () => {
    const item = await createItem(database, owner);
    const noise = await sharp(randomBytes(60 * 60 * 3), { raw: { width: 60, height: 60, channels: 3 } })
      .png()
      .toBuffer();
    let finder = await write(item);
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await post(finder, noise)).status).toBe(200);
      finder = await write(item, finder.cookie);
    }
    const full = await post(finder, noise);
    expect([full.status, await full.json()]).toEqual([
      429,
      { problem: expect.stringContaining('You can’t send more photos') },
    ]);
    // Far more than the 1,000 bytes that this installation gives to an account.
    const [{ bytes } = { bytes: 0 }] = await database.query<{ bytes: number }>(
      `select sum((metadata ->> 'size')::int)::int as bytes from storage.objects where bucket_id = $1 and owner = $2`,
      [BUCKET, owner.id],
    );
    expect(bytes).toBeGreaterThan(10_000);
    const own = await ownClient.storage
      .from('avatars')
      .upload(`${crypto.randomUUID().replaceAll('-', '')}.webp`, await aPicture(2, 2).png().toBuffer(), {
        contentType: 'image/png',
      });
    expect(own.error).toBeNull();
  });

  test('is one too many from its address: the message is sent, and the photo is read but not kept', async () => {
    const address = anAddress();
    const finder = await write(await createItem(database, owner));
    for (let sent = 0; sent < 30; sent += 1) expect((await post(finder, text, address)).status).toBe(422);
    const refused = await post(finder, text, address);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const item = await createItem(database, owner);
    const sent = await postMultipart(item, { photo: asBlob(await aPicture().jpeg().toBuffer()) }, address);
    expect(sent.headers.get('location')).toBe(`/item/${item.qrId}?sent=1&photo=too-many#message`);
    expect(await stored(item)).toEqual([{ body: 'I have it', photo: false }]);
  });
});

describe('a form with a photo', () => {
  const BOUNDARY = 'x-boundary';
  const part = (disposition: string, content: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
  const END = Buffer.from(`--${BOUNDARY}--\r\n`);

  const postRaw = ({ qrId }: TestItem, body: Buffer, type = `multipart/form-data; boundary=${BOUNDARY}`) =>
    web.request(`/item/${qrId}/message`, {
      method: 'POST',
      body: Uint8Array.from(body),
      headers: { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin', Accept: 'application/json' },
    });

  test.each([
    ['has no boundary', [part('name="body"', 'Hi'), END], 415, 'multipart/form-data'],
    ['ends too early', [part('name="body"', 'Hi')], 400],
    ['has a field twice', [part('name="body"', 'Hi'), part('name="body"', 'Ho'), END], 400],
    ['has a text that is not UTF-8', [part('name="body"', Buffer.from([0xc3, 0x28])), END], 400],
    ['has a NUL', [part('name="body"', 'H\0i'), END], 400],
    ['has two files', [part('name="photo"; filename="a"', 'a'), part('name="photo"; filename="b"', 'b'), END], 400],
    ['has a text of more than 16 KiB', [part('name="body"', 'x'.repeat(16 * 1024 + 1)), END], 413],
    ['has more than 20 parts', [...Array.from({ length: 21 }, (_, at) => part(`name="f${at}"`, '')), END], 400],
  ])('is refused where it %s', async (_, parts, status, type?: string) => {
    const item = await createItem(database, owner);
    const refused = await postRaw(item, Buffer.concat(parts), type);
    expect([refused.status, await refused.json()]).toEqual([status, { problem: expect.any(String) }]);
    expect(await stored(item)).toEqual([]);
    expect(await filesIn('arriving')).toEqual([]);
  });

  test('needs no photo', async () => {
    const item = await createItem(database, owner);
    const sent = await postMultipart(item, {});
    expect(sent.headers.get('location')).toBe(`/item/${item.qrId}?sent=1#message`);
    expect(await stored(item)).toEqual([{ body: 'I have it', photo: false }]);
  });
});

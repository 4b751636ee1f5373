import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { aBarePng, aCameraPicture, anAnimation, aPicture, aPictureName } from './support/pictures.ts';

const database = await createTestDatabase();
const dataDirectory = await temporaryFolder();
const server = await startTestServer(database, {
  dataDirectory,
  environment: { STORAGE_ACCOUNT_QUOTA: '60000' },
});

interface SignedInOwner extends TestOwner {
  readonly client: SupabaseClient;
}

async function anOwner(): Promise<SignedInOwner> {
  const owner = await createOwner(database);
  return { ...owner, client: server.client({ token: await server.token(owner.caller.claims) }) };
}

/** Uploads a picture and shows it with the item. */
async function showPhoto({ client }: SignedInOwner, item: TestItem, picture?: Buffer): Promise<string> {
  const name = aPictureName();
  const bytes = picture ?? (await aPicture().jpeg().toBuffer());
  const { error } = await client.storage.from('item-photos').upload(name, bytes, { contentType: 'image/jpeg' });
  if (error) throw error;
  const shown = await client.from('items').update({ photo: name }).eq('id', item.id);
  if (shown.error) throw shown.error;
  return name;
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** Names of all the files that there are. */
async function storedFiles(): Promise<string[]> {
  const folder = join(dataDirectory, 'storage');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function untilGone(names: readonly string[]): Promise<void> {
  await expect.poll(async () => (await storedFiles()).filter((name) => names.includes(name))).toEqual([]);
}

const PUBLIC = '/storage/v1/object/public/item-photos';

describe('a photo of an item', () => {
  test('reaches a finder upright and small, without its location, and never changes', async () => {
    const owner = await anOwner();
    const item = await createItem(database, owner);
    const secret = randomBytes(12).toString('hex');
    const name = await showPhoto(owner, item, await aCameraPicture(secret));

    const found = await server.client().rpc('find_item', { qr_id_param: item.qrId });
    expect(found.data).toMatchObject({ photo: `${PUBLIC}/${name}` });
    const response = await server.request(`${PUBLIC}/${name}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    const bytes = await bytesOf(response);
    const { width, height, exif, icc, xmp, orientation, format } = await sharp(bytes).metadata();
    expect({ width, height, exif, icc, xmp, orientation, format }).toEqual({ width: 60, height: 80, format: 'webp' });
    for (const trace of [secret, 'GPS', 'Exif', owner.id]) expect(bytes.includes(trace), trace).toBe(false);
    // Taken with the left side up: red from the left side is at the top.
    const top = await sharp(bytes).extract({ left: 30, top: 10, width: 1, height: 1 }).raw().toBuffer();
    expect([...top.subarray(0, 3)].map((value) => value > 128)).toEqual([true, false, false]);
  });

  test('does not reveal when it was uploaded or what metadata the client sent [K12]', async () => {
    const owner = await anOwner();
    const item = await createItem(database, owner);
    const name = aPictureName();
    const uploaded = await owner.client.storage
      .from('item-photos')
      .upload(name, await aPicture().jpeg().toBuffer(), { metadata: { phone: 'of Olive' } });
    expect(uploaded.error).toBeNull();
    await owner.client.from('items').update({ photo: name }).eq('id', item.id);

    for (const address of [`${PUBLIC}/${name}`, `/storage/v1/render/image/public/item-photos/${name}?width=320`]) {
      const { headers } = await server.request(address);
      expect(headers.get('last-modified')).toBe('Thu, 01 Jan 1970 00:00:00 GMT');
    }
    const reported = await (await server.request(`/storage/v1/object/info/public/item-photos/${name}`)).json();
    expect(reported).toMatchObject({
      name,
      metadata: {},
      last_modified: '1970-01-01T00:00:00.000Z',
      created_at: '1970-01-01T00:00:00.000Z',
    });
    const stranger = await anOwner();
    const theirs = stranger.client.storage.from('item-photos');
    expect((await theirs.info(name)).error).toMatchObject({ code: 'NoSuchKey' });
    for (const route of ['', 'info/']) {
      const withoutKey = await server.request(`/storage/v1/object/${route}item-photos/${name}`);
      expect((await withoutKey.json()).code).toBe('NoSuchBucket');
    }
    // Its owner still receives everything.
    const { data } = await owner.client.storage.from('item-photos').info(name);
    expect(data).toMatchObject({ metadata: { phone: 'of Olive' } });
    expect(Date.parse(data?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  test('is kept in two sizes, and served by the requested width', async () => {
    const owner = await anOwner();
    const name = await showPhoto(
      owner,
      await createItem(database, owner),
      await aPicture(2000, 1000).jpeg().toBuffer(),
    );
    const widthOf = async (path: string) => (await sharp(await bytesOf(await server.request(path))).metadata()).width;
    const render = `/storage/v1/render/image/public/item-photos/${name}`;
    expect(await widthOf(`${PUBLIC}/${name}`)).toBe(1280);
    expect(await widthOf(`${render}?width=320`)).toBe(320);
    expect(await widthOf(`${render}?width=321`)).toBe(321);
    expect(await widthOf(`${render}?width=5000`)).toBe(1280);
    const { data } = await owner.client.storage
      .from('item-photos')
      .createSignedUrl(name, 60, { transform: { width: 100 } });
    const downloaded = await owner.client.storage.from('item-photos').download(name, { transform: { width: 100 } });
    expect(
      (await sharp(Buffer.from((await downloaded.data?.arrayBuffer()) ?? new ArrayBuffer(0))).metadata()).width,
    ).toBe(100);
    expect(await widthOf(new URL(data?.signedUrl ?? '').pathname + new URL(data?.signedUrl ?? '').search)).toBe(100);
  });

  test('is removed with its URL, row, and files when it is replaced, when its item is deleted, and when its owner removes it', async () => {
    const owner = await anOwner();
    const item = await createItem(database, owner);
    const versions = async (name: string) => {
      const [row] = await database.query<{ version: string; renditions: { version: string }[] }>(
        'select version, renditions from storage.objects where name = $1',
        [name],
      );
      return row === undefined ? [] : [row.version, ...row.renditions.map(({ version }) => version)];
    };
    const expectGone = async (name: string, files: readonly string[]) => {
      expect(files).toHaveLength(2);
      expect((await server.request(`${PUBLIC}/${name}`)).status).toBe(400);
      expect(await versions(name)).toEqual([]);
      await untilGone(files);
    };

    const first = await showPhoto(owner, item);
    const firstFiles = await versions(first);
    expect((await storedFiles()).filter((file) => firstFiles.includes(file))).toHaveLength(2);
    const second = await showPhoto(owner, item);
    await expectGone(first, firstFiles);

    const secondFiles = await versions(second);
    await owner.client.from('items').update({ photo: null }).eq('id', item.id);
    await expectGone(second, secondFiles);

    const third = await showPhoto(owner, item);
    const thirdFiles = await versions(third);
    // Taken down in the storage service itself.
    await owner.client.storage.from('item-photos').remove([third]);
    await expectGone(third, thirdFiles);
    expect((await owner.client.from('items').select('photo').eq('id', item.id)).data).toEqual([{ photo: null }]);

    const fourth = await showPhoto(owner, item);
    const fourthFiles = await versions(fourth);
    await owner.client.from('items').delete().eq('id', item.id);
    await expectGone(fourth, fourthFiles);
  });

  test('belongs to its owner: no other account uploads, shows, changes, or deletes it [E40]', async () => {
    const [owner, other] = [await anOwner(), await anOwner()];
    const [item, theirs] = [await createItem(database, owner), await createItem(database, other)];
    const name = await showPhoto(owner, item);
    const files = other.client.storage.from('item-photos');
    const jpeg = await aPicture().jpeg().toBuffer();

    expect((await files.upload(name, jpeg, { upsert: true })).error).toMatchObject({ statusCode: '403' });
    expect((await files.update(name, jpeg)).error).toMatchObject({ statusCode: '403' });
    expect((await files.remove([name])).data).toEqual([]);
    expect((await files.list()).data).toEqual([]);
    expect((await files.download(name)).error).not.toBeNull();
    expect((await other.client.from('items').update({ photo: name }).eq('id', theirs.id)).error).toMatchObject({
      code: '23503',
    });
    expect((await server.client().storage.from('item-photos').upload(aPictureName(), jpeg)).error).toMatchObject({
      statusCode: '403',
    });
    // Not even its owner can change it under its name, or use a guessable name.
    const mine = owner.client.storage.from('item-photos');
    expect((await mine.upload(name, jpeg, { upsert: true })).error).toMatchObject({ statusCode: '403' });
    expect((await mine.move(name, aPictureName())).error).toMatchObject({ statusCode: '404' });
    for (const guessable of ['keys.webp', `${owner.id}/a.webp`, `${'a'.repeat(21)}.webp`, `${'a'.repeat(30)}.html`]) {
      expect((await mine.upload(guessable, jpeg)).error, guessable).toMatchObject({ statusCode: '403' });
    }
    expect((await server.request(`${PUBLIC}/${name}`)).status).toBe(200);
  });
});

test('a profile picture is visible only to its owner [E40]', async () => {
  const [owner, other] = [await anOwner(), await anOwner()];
  const name = aPictureName();
  const files = owner.client.storage.from('avatars');
  expect((await files.upload(name, await aPicture().png().toBuffer())).error).toBeNull();
  expect((await owner.client.from('profiles').update({ avatar: name }).eq('id', owner.id)).error).toBeNull();

  for (const path of [
    `/storage/v1/object/public/avatars/${name}`,
    `/storage/v1/object/avatars/${name}`,
    `/storage/v1/render/image/public/avatars/${name}?width=320`,
    `/storage/v1/render/image/authenticated/avatars/${name}?width=320`,
  ]) {
    const refused = await server.request(path, { headers: { apikey: server.secrets.publishableKey } });
    expect([path, refused.status]).toEqual([path, 400]);
  }
  expect((await other.client.storage.from('avatars').download(name)).error).not.toBeNull();
  expect((await other.client.storage.from('avatars').createSignedUrl(name, 60)).error).toMatchObject({
    statusCode: '404',
  });
  const { data } = await files.createSignedUrl(name, 60);
  expect((await fetch(data?.signedUrl ?? '')).headers.get('content-type')).toBe('image/webp');
});

describe('a file that is not a still picture is refused and not stored [E37] [E39]', () => {
  const refusals: [string, string, () => Promise<Buffer> | Buffer, RegExp][] = [
    [
      'SVG',
      'image/svg+xml',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      /no picture/,
    ],
    [
      'SVG that is called a PNG',
      'image/png',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      /no picture/,
    ],
    ['HTML', 'text/html', () => Buffer.from('<!doctype html><script>alert(1)</script>'), /no picture/],
    [
      'a program',
      'image/jpeg',
      () => Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'),
      /no picture/,
    ],
    ['an animation', 'image/webp', () => anAnimation(), /animated|no picture/],
    ['a GIF', 'image/gif', () => aPicture().gif().toBuffer(), /no picture/],
    [
      'half a picture',
      'image/jpeg',
      async () => (await aPicture(600, 600).jpeg().toBuffer()).subarray(0, 900),
      /damaged|no picture/,
    ],
    ['289 megapixels', 'image/png', () => aBarePng(17_000), /more than 40 megapixels/],
  ];
  test.each(refusals)('%s', async (_kind, contentType, make, message) => {
    const owner = await anOwner();
    const before = await storedFiles();
    const { error } = await owner.client.storage
      .from('item-photos')
      .upload(aPictureName(), await make(), { contentType });
    expect(error).toMatchObject({ status: 400, statusCode: '415', message: expect.stringMatching(message) });
    expect(await database.query('select 1 from storage.objects where owner = $1', [owner.id])).toEqual([]);
    expect(await storedFiles()).toEqual(before);
  });

  test('a picture with an appended program is stored without the program [E37]', async () => {
    const owner = await anOwner();
    const program = '*/=alert(1);//<script>alert(1)</script>';
    const polyglot = Buffer.concat([await aPicture().jpeg().toBuffer(), Buffer.from(program)]);
    const name = await showPhoto(owner, await createItem(database, owner), polyglot);
    expect((await bytesOf(await server.request(`${PUBLIC}/${name}`))).includes('alert')).toBe(false);
  });
});

test('ten huge pictures at once are refused by their headers, and those just small enough are decoded one by one [E39]', async () => {
  const [huge, large] = [aBarePng(14_000), aBarePng(6_300)];
  expect(huge.length).toBeLessThan(1_000_000);
  const owner = await anOwner();
  const upload = (bytes: Buffer) => owner.client.storage.from('avatars').upload(aPictureName(), bytes);
  // The server runs in this process, so memory that earlier test files used counts as well.
  const before = process.memoryUsage.rss();
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  const responses = await Promise.all(
    [...Array.from({ length: 10 }, () => huge), ...Array.from({ length: 10 }, () => large)].map(upload),
  );
  expect(responses.slice(0, 10).map(({ error }) => error?.message)).toEqual(
    Array.from({ length: 10 }, () => 'The picture has more than 40 megapixels'),
  );
  expect(responses.slice(10).map(({ error }) => error)).toEqual(Array.from({ length: 10 }, () => null));
  clearInterval(looking);
  expect(most - before).toBeLessThan(500_000_000);
});

describe('how much one account may keep', () => {
  test('uploads are refused beyond the quota, and accepted again once bytes are free [E41]', async () => {
    const owner = await anOwner();
    const files = owner.client.storage.from('item-photos');
    const noise = () =>
      sharp(randomBytes(150 * 150 * 3), { raw: { width: 150, height: 150, channels: 3 } })
        .jpeg()
        .toBuffer();
    const names: string[] = [];
    let refusal: unknown = null;
    while (refusal === null && names.length < 20) {
      const name = aPictureName();
      refusal = (await files.upload(name, await noise())).error;
      if (refusal === null) names.push(name);
    }
    expect(refusal).toMatchObject({ status: 400, statusCode: '413', code: 'QuotaExceeded' });
    expect(names.length).toBeGreaterThan(0);
    await files.remove(names);
    expect((await files.upload(aPictureName(), await noise())).error).toBeNull();
    // Nothing was left of the one that did not fit.
    const [{ versions } = { versions: [] }] = await database.query<{ versions: string[] }>(
      "select array_agg(version) || array_agg(renditions -> 0 ->> 'version') as versions from storage.objects",
    );
    await expect.poll(async () => (await storedFiles()).toSorted()).toEqual(versions.toSorted());
  });

  test('two simultaneous uploads cannot both use the last bytes [E41]', async () => {
    const owner = await anOwner();
    await database.query(
      `insert into storage.objects (bucket_id, name, owner, metadata)
         values ('avatars', $1, $2, '{"size": 59700}')`,
      [aPictureName(), owner.id],
    );
    const jpeg = await aPicture().jpeg().toBuffer();
    const uploads = Array.from({ length: 6 }, () =>
      owner.client.storage.from('item-photos').upload(aPictureName(), jpeg),
    );
    await Promise.all(uploads);
    const [row] = await database.query<{ bytes: number }>(
      `select sum((metadata ->> 'size')::int + coalesce((renditions -> 0 ->> 'size')::int, 0))::int as bytes
         from storage.objects where owner = $1`,
      [owner.id],
    );
    expect(row?.bytes).toBeLessThanOrEqual(60_000);
  });

  test('and 1,000 objects [E41]', async () => {
    const owner = await anOwner();
    await database.query(
      `insert into storage.objects (bucket_id, name, owner)
         select 'avatars', replace(gen_random_uuid()::text, '-', '') || '.webp', $1 from generate_series(1, 1000)`,
      [owner.id],
    );
    const { error } = await owner.client.storage
      .from('avatars')
      .upload(aPictureName(), await aPicture().jpeg().toBuffer());
    expect(error).toMatchObject({ code: 'QuotaExceeded' });
  });
});

test('the pictures of a deleted account are removed (D35) [D35]', async () => {
  const owner = await anOwner();
  const name = await showPhoto(owner, await createItem(database, owner));
  const avatar = aPictureName();
  await owner.client.storage.from('avatars').upload(avatar, await aPicture().jpeg().toBuffer());
  await owner.client.from('profiles').update({ avatar }).eq('id', owner.id);
  const rows = await database.query<{ version: string; renditions: { version: string }[] }>(
    'select version, renditions from storage.objects where owner = $1',
    [owner.id],
  );
  const files = rows.flatMap(({ version, renditions }) => [version, ...renditions.map((one) => one.version)]);
  expect(files).toHaveLength(4);

  await database.query('delete from auth.users where id = $1', [owner.id]);
  expect(await database.query('select 1 from storage.objects where name in ($1, $2)', [name, avatar])).toEqual([]);
  await untilGone(files);
});

test('60 pictures an hour, counted by account', async () => {
  const [owner, other] = [await anOwner(), await anOwner()];
  const svg = Buffer.from('<svg/>');
  const avatars = owner.client.storage.from('avatars');
  const name = aPictureName();
  expect((await avatars.upload(name, await aPicture().png().toBuffer())).error).toBeNull();
  expect((await avatars.copy(name, aPictureName())).error).toBeNull();
  const attempts = await Promise.all(Array.from({ length: 59 }, () => avatars.upload(aPictureName(), svg)));
  expect(attempts.filter(({ error }) => error !== null && 'status' in error && error.status === 429)).toHaveLength(1);
  // A copy takes as much room and work.
  expect((await avatars.copy(name, aPictureName())).error).toMatchObject({ status: 429 });
  expect((await other.client.storage.from('avatars').upload(aPictureName(), svg)).error).toMatchObject({
    statusCode: '415',
  });
});

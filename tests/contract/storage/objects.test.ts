import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
const service = server.client({ key: server.secrets.secretKey });

/** What the methods of `from(bucket)` are called on. */
type Files = ReturnType<SupabaseClient['storage']['from']>;

/** The bucket's files for the service, and its name. */
async function aBucket(options: { public: boolean; fileSizeLimit?: string; allowedMimeTypes?: string[] }) {
  const id = `bucket-${randomBytes(6).toString('hex')}`;
  const { error } = await service.storage.createBucket(id, options);
  expect(error).toBeNull();
  return { id, files: service.storage.from(id) };
}

async function textOf(blob: Blob | null): Promise<string | undefined> {
  return blob?.text();
}

let id: string;
let files: Files;
beforeEach(async () => {
  ({ id, files } = await aBucket({ public: false }));
});

describe('what is uploaded comes back', () => {
  const text = 'Found at the desk – ✓';
  test.each([
    ['text', () => text],
    ['a Buffer', () => Buffer.from(text)],
    ['an ArrayBuffer', () => new TextEncoder().encode(text).buffer],
    ['a Blob', () => new Blob([text], { type: 'text/plain' })],
    ['a File', () => new File([text], 'note.txt', { type: 'text/plain' })],
    ['a web stream', () => new Blob([text]).stream()],
    ['a stream of Node', () => Readable.from([Buffer.from(text)])],
    [
      'a form',
      () => {
        const form = new FormData();
        form.append('file', new Blob([text], { type: 'text/plain' }));
        return form;
      },
    ],
  ])('as %s', async (_kind, body) => {
    const { data, error } = await files.upload('notes/first.txt', body(), { contentType: 'text/plain' });
    expect(error).toBeNull();
    expect(data).toEqual({ id: expect.any(String), path: 'notes/first.txt', fullPath: `${id}/notes/first.txt` });
    const downloaded = await files.download('notes/first.txt');
    expect(downloaded.error).toBeNull();
    expect(await textOf(downloaded.data)).toBe(text);
    expect(downloaded.data?.type).toContain('text/plain');
  });

  test('5 MB, byte for byte, by its own length and hash', async () => {
    const bytes = randomBytes(5_000_000);
    expect((await files.upload('large.bin', bytes, { contentType: 'application/zip' })).error).toBeNull();
    const { data } = await files.download('large.bin');
    const received = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(createHash('sha256').update(received).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await files.info('large.bin')).data).toMatchObject({ size: 5_000_000, contentType: 'application/zip' });
  });

  test('an empty object', async () => {
    expect((await files.upload('empty.txt', new Blob([]))).error).toBeNull();
    expect(await textOf((await files.download('empty.txt')).data)).toBe('');
  });
});

test('the client’s defaults: cached for 3600 s, without replacing an existing object [E40]', async () => {
  await files.upload('a.txt', 'first');
  expect((await files.info('a.txt')).data).toMatchObject({ cacheControl: 'max-age=3600' });
  const again = await files.upload('a.txt', 'second');
  expect(again.error).toMatchObject({ status: 400, statusCode: '409', message: 'The resource already exists' });
  expect(await textOf((await files.download('a.txt')).data)).toBe('first');

  expect((await files.upload('a.txt', 'third', { upsert: true })).error).toBeNull();
  expect(await textOf((await files.download('a.txt')).data)).toBe('third');
  expect((await files.update('a.txt', 'fourth')).error).toBeNull();
  expect(await textOf((await files.download('a.txt')).data)).toBe('fourth');
});

test.each([
  ['a Blob', () => new Blob(['x'], { type: 'text/plain' })],
  ['text', () => 'x'],
])('the cache time and metadata that the uploader of %s sends are stored', async (_kind, body) => {
  await files.upload('a.txt', body(), { cacheControl: '60', metadata: { place: 'Ünder the desk' } });
  expect((await files.info('a.txt')).data).toMatchObject({
    name: 'a.txt',
    bucketId: id,
    cacheControl: 'max-age=60',
    metadata: { place: 'Ünder the desk' },
  });
});

test('whether an object exists', async () => {
  await files.upload('a.txt', 'x');
  expect(await files.exists('a.txt')).toEqual({ data: true, error: null });
  expect(await files.exists('b.txt')).toMatchObject({ data: false, error: { statusCode: '404', code: 'NoSuchKey' } });
  expect((await files.download('b.txt')).error).toMatchObject({ status: 400 });
});

test('a list returns the content of a folder: objects and folder names, in byte order, 100 at a time', async () => {
  for (const name of ['b.txt', 'a.txt', 'sub/x.txt', 'sub/deep/y.txt', 'Zed.txt', 'b_c.txt'])
    await files.upload(name, name);
  const { data } = await files.list();
  expect(data?.map(({ name }) => name)).toEqual(['Zed.txt', 'a.txt', 'b.txt', 'b_c.txt', 'sub']);
  expect(data?.at(1)).toMatchObject({
    id: expect.any(String),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    metadata: { size: 5, mimetype: 'text/plain;charset=UTF-8', cacheControl: 'max-age=3600', httpStatusCode: 200 },
  });
  expect(data?.at(-1)).toEqual({
    name: 'sub',
    id: null,
    updated_at: null,
    created_at: null,
    last_accessed_at: null,
    metadata: null,
  });

  const names = async (path: string, options?: Parameters<Files['list']>[1]) =>
    (await files.list(path, options)).data?.map(({ name }) => name);
  expect(await names('sub')).toEqual(['deep', 'x.txt']);
  expect(await names('sub/')).toEqual(['deep', 'x.txt']);
  expect(await names('su')).toEqual([]);
  expect(await names('', { limit: 2, offset: 1 })).toEqual(['a.txt', 'b.txt']);
  expect(await names('', { sortBy: { order: 'desc' } })).toEqual(['sub', 'b_c.txt', 'b.txt', 'a.txt', 'Zed.txt']);
  expect(await names('', { search: 'B' })).toEqual(['b.txt', 'b_c.txt']);
  // The underscore is a character like any other.
  expect(await names('', { search: 'b_' })).toEqual(['b_c.txt']);
  expect(await names('', { sortBy: { column: 'created_at', order: 'asc' } })).toEqual([
    'b.txt',
    'a.txt',
    'Zed.txt',
    'b_c.txt',
    'sub',
  ]);
});

test('a list of a missing bucket is empty, and one of more than 100 objects has a second page', async () => {
  expect(await service.storage.from('nowhere').list()).toEqual({ data: [], error: null });
  await database.query(
    "insert into storage.objects (bucket_id, name) select $1, 'n' || to_char(n, 'FM000') from generate_series(1, 130) as n",
    [id],
  );
  expect((await files.list()).data).toHaveLength(100);
  expect((await files.list('', { offset: 100 })).data?.[0]?.name).toBe('n101');
});

test.each(['name', 'created_at'] as const)(
  'the second version of the list returns everything once, by %s',
  async (column) => {
    for (const name of ['c.txt', 'a/1.txt', 'a/2.txt', 'b.txt', 'd/3.txt']) await files.upload(name, name);
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < 10; pages += 1) {
        const { data, error } = await files.listV2({
          with_delimiter: true,
          limit: 2,
          sortBy: { column, order },
          ...(cursor !== undefined && { cursor }),
        });
        if (error) throw error;
        expect(data.folders.length + data.objects.length).toBeLessThanOrEqual(2);
        seen.push(...data.folders.map(({ name }) => name), ...data.objects.map(({ name }) => name));
        cursor = data.nextCursor;
        if (!data.hasNext) break;
      }
      expect(seen.toSorted()).toEqual(['a/', 'b.txt', 'c.txt', 'd/']);
    }
    const { data } = await files.listV2({ prefix: 'a/' });
    expect(data?.objects.map(({ name }) => name)).toEqual(['a/1.txt', 'a/2.txt']);
  },
);

test('the second version of the list: keys at the level of the prefix, and folders as old as their oldest object', async () => {
  for (const name of ['a/deep/1.txt', 'z.txt', 'm/2.txt', 'a/3.txt', 'm/4.txt']) await files.upload(name, name);
  const page = async (options: Parameters<Files['listV2']>[0]) => {
    const { data, error } = await files.listV2(options);
    if (error) throw error;
    return { ...data, objects: data.objects.map(({ name, key }) => [name, key]) };
  };
  expect(await page({ with_delimiter: true })).toEqual({
    hasNext: false,
    folders: [
      { name: 'a/', key: 'a' },
      { name: 'm/', key: 'm' },
    ],
    objects: [['z.txt', 'z.txt']],
  });
  expect(await page({ with_delimiter: true, prefix: 'a/' })).toEqual({
    hasNext: false,
    folders: [{ name: 'a/deep/', key: 'deep' }],
    objects: [['a/3.txt', '3.txt']],
  });
  expect(await page({ prefix: 'a/' })).toMatchObject({
    folders: [],
    objects: [
      ['a/3.txt', undefined],
      ['a/deep/1.txt', undefined],
    ],
  });

  // The cursor keeps the order: the documented next page sends nothing else of it.
  const namesByAge = async (column: 'created_at' | 'updated_at') => {
    const sortBy = { column, order: 'desc' } as const;
    const names: string[] = [];
    let { data } = await files.listV2({ with_delimiter: true, limit: 1, sortBy });
    for (let pages = 0; pages < 5 && data !== null; pages += 1) {
      names.push(...data.folders.map(({ name }) => name), ...data.objects.map(({ name }) => name));
      if (data.nextCursor === undefined) break;
      ({ data } = await files.listV2({ with_delimiter: true, limit: 1, cursor: data.nextCursor }));
    }
    return names;
  };
  expect(await namesByAge('created_at')).toEqual(['m/', 'z.txt', 'a/']);
  await files.update('a/3.txt', 'newer');
  expect(await namesByAge('updated_at')).toEqual(['m/', 'z.txt', 'a/']);

  // More than a page has means a page.
  expect((await page({ limit: 5_000 })).objects).toHaveLength(5);
  expect((await files.list('', { limit: 5_000 })).data).toHaveLength(3);
  for (const cursor of ['none', Buffer.from('{"column":"name; --"}').toString('base64url')]) {
    expect((await files.listV2({ cursor })).error).toMatchObject({
      status: 400,
      statusCode: '400',
      code: 'InvalidParameter',
      message: 'Invalid Parameter continuation token',
    });
  }
});

test('numbers and booleans are taken as text too, and an empty cursor means the first page', async () => {
  await files.upload('a.txt', 'A');
  const headers = { Authorization: `Bearer ${server.secrets.secretKey}`, 'Content-Type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  const sign = `/storage/v1/object/sign/${id}`;
  const one = await post(`${sign}/a.txt`, { expiresIn: '60' });
  expect(one.status).toBe(200);
  expect((await server.request(`/storage/v1${one.body.signedURL}`, { headers: {} })).status).toBe(200);
  expect((await post(sign, { expiresIn: '60', paths: ['a.txt'] })).body[0].error).toBeNull();
  for (const expiresIn of ['', 'a minute', '1e3', '0', '6.5', true, null])
    expect((await post(`${sign}/a.txt`, { expiresIn })).status, String(expiresIn)).toBe(400);
  const listed = await post(`/storage/v1/object/list/${id}`, { prefix: '', limit: '10', offset: '0' });
  expect(listed.body).toHaveLength(1);
  const page = await post(`/storage/v1/object/list-v2/${id}`, { limit: '10', cursor: '' });
  expect(page.body.objects).toHaveLength(1);
  await files.upload('folder/b.txt', 'B');
  for (const [with_delimiter, folders] of [
    ['true', 1],
    ['false', 0],
  ])
    expect((await post(`/storage/v1/object/list-v2/${id}`, { with_delimiter })).body.folders).toHaveLength(
      Number(folders),
    );
  const open = `open-${id}`;
  expect((await post('/storage/v1/bucket', { name: open, public: 'true', file_size_limit: '1000' })).status).toBe(200);
  expect((await service.storage.getBucket(open)).data).toMatchObject({ public: true, file_size_limit: 1000 });
  for (const wrong of ['', 'yes', 1, []])
    expect((await post('/storage/v1/bucket', { name: `${open}-2`, public: wrong })).status).toBe(400);
});

test('an object is moved, and copied with or without its metadata, within a bucket and to another', async () => {
  const other = await aBucket({ public: false });
  await files.upload('a.txt', 'A', { metadata: { of: 'a' } });
  await files.upload('b.txt', 'B');

  expect((await files.move('a.txt', 'b.txt')).error).toMatchObject({ statusCode: '409' });
  expect((await files.move('a.txt', 'moved/a.txt')).data).toMatchObject({ message: 'Successfully moved' });
  expect(await files.exists('a.txt')).toMatchObject({ data: false });
  expect(await textOf((await files.download('moved/a.txt')).data)).toBe('A');

  expect((await files.copy('moved/a.txt', 'copy.txt')).data).toEqual({ path: `${id}/copy.txt` });
  expect((await files.info('copy.txt')).data?.metadata).toEqual({ of: 'a' });
  expect((await files.copy('moved/a.txt', 'copy.txt')).error).toMatchObject({ statusCode: '409' });
  const changed = { copyMetadata: false, metadata: { mimetype: 'text/csv', cacheControl: 'max-age=60' } };
  expect((await files.copy('moved/a.txt', 'other.txt', changed)).error).toBeNull();
  const { data: described } = await files.info('other.txt');
  expect(described).toMatchObject({ contentType: 'text/csv', cacheControl: 'max-age=60', size: 1 });
  expect(described?.metadata).toEqual({});
  const own = { Authorization: `Bearer ${server.secrets.secretKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({
    bucketId: id,
    sourceKey: 'moved/a.txt',
    destinationKey: 'own.txt',
    copyMetadata: false,
  });
  const headers = { ...own, 'x-metadata': Buffer.from('{"of":"own"}').toString('base64') };
  expect((await server.request('/storage/v1/object/copy', { method: 'POST', headers, body })).status).toBe(200);
  expect((await files.info('own.txt')).data).toMatchObject({ metadata: { of: 'own' } });

  for (const mimetype of ['x'.repeat(20_000), 'no type']) {
    const wrong = { copyMetadata: false, metadata: { mimetype } };
    expect((await files.copy('moved/a.txt', 'long.txt', wrong)).error?.status).toBe(400);
  }
  expect((await files.copy('b.txt', 'from-b.txt', { destinationBucket: other.id })).error).toBeNull();
  expect((await files.move('b.txt', 'b.txt', { destinationBucket: other.id })).error).toBeNull();
  expect(await textOf((await other.files.download('from-b.txt')).data)).toBe('B');
  expect(await textOf((await other.files.download('b.txt')).data)).toBe('B');
  // The copy remains when its source is removed.
  await other.files.remove(['b.txt']);
  expect(await textOf((await other.files.download('from-b.txt')).data)).toBe('B');
  expect((await files.move('gone.txt', 'x.txt')).error).toMatchObject({
    statusCode: '404',
    message: 'Object not found',
  });
});

test('removing returns the removed objects', async () => {
  await files.upload('a.txt', 'x');
  const { data } = await files.remove(['a.txt', 'never.txt']);
  expect(data).toEqual([expect.objectContaining({ name: 'a.txt', bucket_id: id })]);
  expect(await files.exists('a.txt')).toMatchObject({ data: false });
});

describe('addresses', () => {
  test('a public bucket is open to every client with the name; a private one does not appear', async () => {
    const open = await aBucket({ public: true });
    await open.files.upload('a b.txt', 'open');
    await files.upload('a.txt', 'closed');
    const { publicUrl } = open.files.getPublicUrl('a b.txt', { download: 'Größe.txt' }).data;
    const response = await fetch(publicUrl);
    expect(await response.text()).toBe('open');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="Gr__e.txt"; filename*=UTF-8\'\'Gr%C3%B6%C3%9Fe.txt',
    );
    const refused = await fetch(files.getPublicUrl('a.txt').data.publicUrl);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      statusCode: '404',
      error: 'Bucket not found',
      message: 'Bucket not found',
      code: 'NoSuchBucket',
    });
  });

  test('a signed one opens one object until it expires, and only to read it [E40]', async () => {
    await files.upload('folder/a.txt', 'signed');
    await files.upload('other.txt', 'other');
    const { data, error } = await files.createSignedUrl('folder/a.txt', 60, { download: true });
    expect(error).toBeNull();
    const address = data?.signedUrl ?? '';
    const response = await fetch(address);
    expect(await response.text()).toBe('signed');
    expect(response.headers.get('content-disposition')).toBe('attachment;');
    expect(Date.parse(response.headers.get('expires') ?? '')).toBeGreaterThan(server.clock.now());

    const refusals: [string, string][] = [
      [address.replace('folder/a.txt', 'other.txt'), 'InvalidSignature'],
      [`${address.slice(0, address.indexOf('&'))}x`, 'InvalidSignature'],
      [address.replace(/token=[^&]*/, 'token=x'), 'InvalidJWT'],
      [address.replace(/token=[^&]*/, ''), 'InvalidJWT'],
    ];
    for (const [tampered, code] of refusals) {
      expect(await (await fetch(tampered)).json(), tampered).toMatchObject({ code });
    }
    const token = new URL(address).searchParams.get('token') ?? '';
    expect((await files.uploadToSignedUrl('folder/a.txt', token, 'x')).error).toMatchObject({
      code: 'InvalidSignature',
    });
    // It is no access token either.
    expect((await server.client({ token }).storage.from(id).list()).error).toMatchObject({ statusCode: '403' });

    server.clock.advance(61_000);
    expect(await (await fetch(address)).json()).toMatchObject({
      code: 'ExpiredToken',
      message: '"exp" claim timestamp check failed',
    });
  });

  test('many URLs are signed at once, in order, with an error for each missing object', async () => {
    await files.upload('a.txt', 'A');
    const { data } = await files.createSignedUrls(['b.txt', 'a.txt'], 60);
    expect(data?.[0]).toMatchObject({
      path: 'b.txt',
      signedURL: null,
      error: 'Either the object does not exist or you do not have access to it',
    });
    expect(await (await fetch(data?.[1]?.signedUrl ?? '')).text()).toBe('A');
    expect((await files.createSignedUrl('b.txt', 60)).error).toMatchObject({ statusCode: '404', code: 'NoSuchKey' });
  });

  test('an upload URL is valid for one object, and once unless it may replace [E40]', async () => {
    const { data } = await files.createSignedUploadUrl('handed/on.txt');
    const { token = '', path = '' } = data ?? {};
    const visitor = server.client().storage.from(id);
    expect((await visitor.uploadToSignedUrl('another.txt', token, 'x')).error).toMatchObject({
      code: 'InvalidSignature',
    });
    expect((await visitor.uploadToSignedUrl(path, token, new Blob(['by address']))).data).toMatchObject({
      path,
      fullPath: `${id}/${path}`,
    });
    expect((await visitor.uploadToSignedUrl(path, token, 'again')).error).toMatchObject({ statusCode: '409' });
    expect(await textOf((await files.download(path)).data)).toBe('by address');
    // A URL for writing does not allow reading either.
    expect(await (await server.request(`/storage/v1/object/sign/${id}/${path}?token=${token}`)).json()).toMatchObject({
      code: 'InvalidSignature',
    });
    const replacing = await files.createSignedUploadUrl(path, { upsert: true });
    expect((await visitor.uploadToSignedUrl(path, replacing.data?.token ?? '', 'again')).error).toBeNull();
    expect(await textOf((await files.download(path)).data)).toBe('again');
  });
});

describe('over HTTP', () => {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    server.request(path, { method, headers: { apikey: server.secrets.secretKey, ...headers } });

  test('ranges, conditional requests, and HEAD, as in RFC 9110', async () => {
    await files.upload('a.txt', '0123456789');
    const path = `/storage/v1/object/${id}/a.txt`;
    const whole = await get(path);
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    for (const [range, body, reported] of [
      ['bytes=2-4', '234', 'bytes 2-4/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
    ]) {
      const part = await get(path, { Range: range ?? '' });
      expect([part.status, await part.text(), part.headers.get('content-range')], range).toEqual([206, body, reported]);
    }
    const beyond = await get(path, { Range: 'bytes=10-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect((await get(path, { Range: 'bytes=0-1', 'If-Range': '"older"' })).status).toBe(200);
    expect((await get(path, { 'If-None-Match': `"x", ${etag}` })).status).toBe(304);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    expect((await get(`/storage/v1/object/${id}/b.txt`, {}, 'HEAD')).status).toBe(400);
  });

  test('a bucket is read by GET and by HEAD', async () => {
    const found = await get(`/storage/v1/bucket/${id}`);
    expect([found.status, await found.json()]).toEqual([200, expect.objectContaining({ id, name: id, public: false })]);
    const head = await get(`/storage/v1/bucket/${id}`, {}, 'HEAD');
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
      '',
    ]);
    const missing = await get('/storage/v1/bucket/nowhere');
    expect([missing.status, await missing.json()]).toEqual([
      400,
      { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found', code: 'NoSuchBucket' },
    ]);
    expect((await get('/storage/v1/bucket/nowhere', {}, 'HEAD')).status).toBe(400);
  });

  test('the description of an object, by GET and by HEAD', async () => {
    await files.upload('a.txt', 'hello', { metadata: { of: 'a' } });
    for (const route of ['info', 'info/authenticated']) {
      const path = `/storage/v1/object/${route}/${id}/a.txt`;
      const info = await get(path);
      expect([info.status, await info.json()], route).toEqual([
        200,
        {
          id: expect.any(String),
          name: 'a.txt',
          version: expect.any(String),
          bucket_id: id,
          size: 5,
          content_type: 'text/plain;charset=UTF-8',
          cache_control: 'max-age=3600',
          etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
          metadata: { of: 'a' },
          last_modified: expect.any(String),
          created_at: expect.any(String),
        },
      ]);
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.headers.get('etag'), await head.text()], route).toEqual([
        200,
        info.headers.get('etag'),
        '',
      ]);
      // It must not say from a cache that a removed object is there.
      expect(head.headers.get('cache-control')).toBe('no-cache');
      expect(Date.parse(head.headers.get('last-modified') ?? '')).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  test('a missing bucket and a missing object differ, for `exists` too', async () => {
    expect((await files.info('a.txt')).error).toMatchObject({ statusCode: '404', code: 'NoSuchKey' });
    const nowhere = service.storage.from('nowhere');
    expect((await nowhere.info('a.txt')).error).toMatchObject({ statusCode: '404', code: 'NoSuchBucket' });
    expect((await nowhere.download('a.txt')).error).toMatchObject({ status: 400 });
    await expect(nowhere.exists('a.txt')).rejects.toMatchObject({ code: 'NoSuchBucket' });
    expect(await files.exists('a.txt')).toMatchObject({ data: false, error: { code: 'NoSuchKey' } });
  });

  test('an uploaded file is never served as a script of this origin [E37] [K47]', async () => {
    for (const [type, served] of [
      ['text/html', 'text/plain;charset=UTF-8'],
      ['image/svg+xml', 'text/plain;charset=UTF-8'],
      ['application/xhtml+xml', 'text/plain;charset=UTF-8'],
      ['text/javascript', 'text/plain;charset=UTF-8'],
      ['Text/HTML; charset=x', 'text/plain;charset=UTF-8'],
      // Of several types in one header, browsers take the last one (Fetch standard, extract a MIME type).
      ['image/png;x=y, text/html', 'text/plain;charset=UTF-8'],
      ['application/zip;, text/javascript', 'text/plain;charset=UTF-8'],
      ['application/zip', 'application/zip'],
    ]) {
      await files.upload('page', '<script>alert(1)</script>', { contentType: type ?? '', upsert: true });
      const { headers } = await get(`/storage/v1/object/${id}/page`);
      expect(headers.get('content-type'), type).toBe(served);
      expect(headers.get('content-disposition')).toBe('attachment');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    }
    await files.upload('page', 'x', { contentType: 'image/png', upsert: true });
    expect((await get(`/storage/v1/object/${id}/page`)).headers.get('content-disposition')).toBeNull();
  });

  test.each([
    '../secrets.json',
    '%2e%2e/secrets.json',
    '..%2f..%2fsecrets.json',
    'a%00b',
    'a//b',
    'n'.repeat(4096),
    'ä',
    '%',
  ])('the name %s is refused [E40]', async (name) => {
    const response = await server.request(`/storage/v1/object/${id}/${name}`, {
      method: 'POST',
      headers: { apikey: server.secrets.secretKey, 'Content-Type': 'text/plain' },
      body: 'x',
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await database.query('select name from storage.objects where bucket_id = $1', [id])).toEqual([]);
  });

  test.each(['../secrets.json', '..\\secrets.json', 'a/../../b', 'a\0b', 'a//b', 'n'.repeat(4096), 'ä', ''])(
    'nothing can be moved, copied, or uploaded to %j [E40]',
    async (name) => {
      await files.upload('a.txt', 'mine');
      for (const attempt of [files.move('a.txt', name), files.copy('a.txt', name), files.createSignedUploadUrl(name)]) {
        expect((await attempt).error).toMatchObject({ status: 400 });
      }
      for (const attempt of [files.createSignedUrl(name, 60), files.download(name), files.info(name)]) {
        expect((await attempt).error).not.toBeNull();
      }
      const kept = await database.query('select name from storage.objects where bucket_id = $1', [id]);
      expect(kept).toEqual([{ name: 'a.txt' }]);
    },
  );

  test('no name begins with a slash, however it is sent', async () => {
    await files.upload('a.txt', 'mine');
    for (const verb of ['move', 'copy'] as const) {
      expect((await files[verb]('a.txt', '/etc/passwd')).error, verb).toMatchObject({ status: 400 });
    }
  });

  test('unsupported operations and missing objects get an error that says so', async () => {
    await files.upload('a.txt', 'x');
    const absent = { status: 404, statusCode: '404', code: 'FeatureNotEnabled' };
    expect((await files.purgeCache('a.txt')).error).toMatchObject(absent);
    expect((await service.storage.purgeBucketCache(id)).error).toMatchObject(absent);
    expect((await service.storage.getBucketLifecycle(id)).error).toMatchObject(absent);
    expect((await service.storage.deleteBucketLifecycle(id)).error).toMatchObject(absent);
    const choice = { status: 422, statusCode: '422', code: 'FeatureNotEnabled' };
    const transform = { width: 100, gravity: 'no' };
    expect((await files.createSignedUrl('a.txt', 60, { transform })).error).toMatchObject(choice);
    for (const path of [
      'upload/resumable',
      `upload/resumable/${id}`,
      's3/a',
      'vector/ListIndexes',
      'iceberg/v1/config',
    ]) {
      const refused = await get(`/storage/v1/${path}`, {}, 'POST');
      expect([refused.status, await refused.json()], path).toEqual([
        404,
        {
          statusCode: '404',
          error: 'FeatureNotEnabled',
          message: expect.stringMatching(/ is not offered by this service$/),
          code: 'FeatureNotEnabled',
        },
      ]);
    }
    expect(server.logged.join('\n')).not.toContain('A storage request failed');
    expect((await get('/storage/v1/nowhere')).status).toBe(404);
    expect((await get('/storage/v1/status')).status).toBe(200);
  });

  test('a request without a key, and one with a bad key, get a refusal that says so', async () => {
    const none = await server.request(`/storage/v1/bucket`);
    expect([none.status, await none.json()]).toEqual([
      400,
      {
        statusCode: '400',
        error: 'Error',
        message: "headers must have required property 'authorization'",
        code: 'InvalidRequest',
      },
    ]);
    expect((await server.client({ token: 'a.b.c' }).storage.listBuckets()).error).toMatchObject({
      statusCode: '403',
      code: 'AccessDenied',
    });
  });
});

describe('rights', () => {
  test('an object of a public bucket is read on every route and without a key; a private one is not', async () => {
    const open = await aBucket({ public: true });
    for (const each of [open.files, files]) await each.upload('a.txt', 'hello');
    const { caller } = await createOwner(database);
    const keys = {
      visitor: { apikey: server.secrets.publishableKey },
      owner: { Authorization: `Bearer ${await server.token(caller.claims)}` },
      none: {},
    };
    for (const [who, headers] of Object.entries(keys)) {
      for (const route of ['', 'authenticated/', 'public/', 'info/', 'info/authenticated/', 'info/public/']) {
        const needsKey = route.includes('authenticated');
        const named = `${who} ${route}`;
        for (const method of ['GET', 'HEAD']) {
          const ask = (bucket: string) =>
            server.request(`/storage/v1/object/${route}${bucket}/a.txt`, { method, headers });
          expect((await ask(open.id)).status, named).toBe(who === 'none' && needsKey ? 400 : 200);
          const refused = await ask(id);
          expect(refused.status, named).toBe(400);
          if (method === 'HEAD' || (who === 'none' && needsKey)) continue;
          const hidden = who === 'none' || route.includes('public') ? 'NoSuchBucket' : 'NoSuchKey';
          expect((await refused.json()).code, named).toBe(hidden);
        }
      }
    }
    const theirs = server.client({ token: await server.token(caller.claims) }).storage.from(open.id);
    expect(await textOf((await theirs.download('a.txt')).data)).toBe('hello');
    expect(await theirs.exists('a.txt')).toEqual({ data: true, error: null });
    expect((await theirs.info('b.txt')).error).toMatchObject({ code: 'NoSuchKey' });
    expect((await theirs.createSignedUrl('a.txt', 60)).error).toMatchObject({ code: 'NoSuchKey' });
  });

  test('a URL signed to replace a file does not replace another account’s newer file', async () => {
    await database.query(`
      create policy "anybody puts up ${id}" on storage.objects for insert to authenticated with check (bucket_id = '${id}');
      create policy "anybody sees ${id}" on storage.objects for select to authenticated using (bucket_id = '${id}');
      create policy "owners replace ${id}" on storage.objects for update to authenticated
        using (bucket_id = '${id}' and owner = auth.uid())`);
    const filesOf = async () => {
      const { caller } = await createOwner(database);
      return server.client({ token: await server.token(caller.claims) }).storage.from(id);
    };
    const [early, late] = [await filesOf(), await filesOf()];
    const { data } = await early.createSignedUploadUrl('free.txt', { upsert: true });
    const token = data?.token ?? '';
    expect((await late.upload('free.txt', 'theirs')).error).toBeNull();
    expect((await early.uploadToSignedUrl('free.txt', token, 'mine')).error).toMatchObject({ statusCode: '403' });
    expect(await textOf((await files.download('free.txt')).data)).toBe('theirs');
    await files.remove(['free.txt']);
    for (const content of ['mine', 'mine again']) {
      expect((await early.uploadToSignedUrl('free.txt', token, content)).error).toBeNull();
      expect(await textOf((await files.download('free.txt')).data)).toBe(content);
    }
  });

  test('an operator’s own policy decides, here by folder', async () => {
    await database.query(`
      create policy "own folder ${id}" on storage.objects to authenticated
        using (bucket_id = '${id}' and (storage.foldername(name))[1] = (select auth.uid())::text)
        with check (bucket_id = '${id}' and (storage.foldername(name))[1] = (select auth.uid())::text)`);
    const [one, other] = [await createOwner(database), await createOwner(database)];
    const filesOf = async ({ caller }: typeof one) =>
      server.client({ token: await server.token(caller.claims) }).storage.from(id);
    const [mine, theirs] = [await filesOf(one), await filesOf(other)];
    const path = `${one.id}/a.txt`;

    expect((await mine.upload(path, 'mine')).error).toBeNull();
    for (const attempt of [
      theirs.upload(path, 'x'),
      theirs.upload(path, 'x', { upsert: true }),
      theirs.update(path, 'x'),
      theirs.upload(`${one.id}/b.txt`, 'x'),
      theirs.createSignedUploadUrl(`${one.id}/c.txt`),
      server.client().storage.from(id).upload(`${one.id}/d.txt`, 'x'),
    ]) {
      expect((await attempt).error).toMatchObject({
        status: 400,
        statusCode: expect.stringMatching(/^(403|409)$/),
        message: expect.stringMatching(/^(new row violates row-level security policy|The resource already exists)$/),
      });
    }
    for (const attempt of [
      theirs.download(path),
      theirs.createSignedUrl(path, 60),
      theirs.copy(path, `${other.id}/a.txt`),
    ]) {
      expect((await attempt).error).toMatchObject({ status: 400 });
    }
    expect((await theirs.move(path, `${other.id}/a.txt`)).error).toMatchObject({ statusCode: '404' });
    expect((await theirs.remove([path])).data).toEqual([]);
    expect((await theirs.list(one.id)).data).toEqual([]);
    expect(await textOf((await mine.download(path)).data)).toBe('mine');
    expect(await database.query('select owner, owner_id from storage.objects where bucket_id = $1', [id])).toEqual([
      { owner: one.id, owner_id: one.id },
    ]);
  });
});

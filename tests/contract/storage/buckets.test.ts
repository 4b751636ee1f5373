import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const server = await startTestServer(database, { environment: { STORAGE_FILE_SIZE_LIMIT: '2000' } });
const { storage } = server.client({ key: server.secrets.secretKey });

const aName = () => `bucket-${randomBytes(6).toString('hex')}`;

test('a bucket is made, read, changed, listed and deleted', async () => {
  const id = aName();
  expect(
    await storage.createBucket(id, { public: false, fileSizeLimit: '1kb', allowedMimeTypes: ['image/*'] }),
  ).toEqual({
    data: { name: id },
    error: null,
  });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const bucket = {
    id,
    name: id,
    owner: '',
    public: false,
    type: 'STANDARD',
    file_size_limit: 1000,
    allowed_mime_types: ['image/*'],
    created_at: time,
    updated_at: time,
  };
  expect((await storage.getBucket(id)).data).toEqual(bucket);
  expect((await storage.createBucket(id)).error).toMatchObject({
    statusCode: '409',
    code: 'BucketAlreadyExists',
    message: 'The resource already exists',
  });

  expect((await storage.updateBucket(id, { public: true })).data).toEqual({ message: 'Successfully updated' });
  expect((await storage.getBucket(id)).data).toMatchObject({ public: true, file_size_limit: 1000 });
  await storage.updateBucket(id, { public: true, fileSizeLimit: null, allowedMimeTypes: null });
  expect((await storage.getBucket(id)).data).toMatchObject({ file_size_limit: null, allowed_mime_types: null });

  const listed = await storage.listBuckets({ search: id.slice(0, 12), limit: 1, sortColumn: 'created_at' });
  expect(listed.data).toEqual([expect.objectContaining({ id, public: true })]);
  expect((await storage.listBuckets({ search: 'no such' })).data).toEqual([]);

  expect((await storage.deleteBucket(id)).data).toEqual({ message: 'Successfully deleted' });
  expect((await storage.getBucket(id)).error).toMatchObject({
    status: 400,
    statusCode: '404',
    message: 'Bucket not found',
  });
  expect((await storage.updateBucket(id, { public: true })).error).toMatchObject({ statusCode: '404' });
  expect((await storage.deleteBucket(id)).error).toMatchObject({ statusCode: '404' });
});

test('a bucket must be empty before it is deleted', async () => {
  const id = aName();
  await storage.createBucket(id);
  await storage.from(id).upload('a.txt', 'x');
  expect((await storage.deleteBucket(id)).error).toMatchObject({
    statusCode: '409',
    message: 'The bucket you tried to delete is not empty',
  });
  expect((await storage.emptyBucket(id)).data).toEqual({
    message: 'Empty bucket has been queued. Completion may take up to an hour.',
  });
  expect((await storage.deleteBucket(id)).error).toBeNull();
  expect((await storage.emptyBucket(id)).error).toMatchObject({ statusCode: '404' });
});

test('a caller other than the service sees, creates, and changes no bucket', async () => {
  const id = aName();
  await storage.createBucket(id, { public: true });
  const { caller } = await createOwner(database);
  for (const client of [server.client(), server.client({ token: await server.token(caller.claims) })]) {
    expect((await client.storage.listBuckets()).data).toEqual([]);
    expect((await client.storage.getBucket(id)).error).toMatchObject({ statusCode: '404' });
    expect((await client.storage.createBucket(aName())).error).toMatchObject({
      status: 400,
      statusCode: '403',
      message: 'new row violates row-level security policy',
    });
    expect((await client.storage.updateBucket(id, { public: false })).error).toMatchObject({ statusCode: '404' });
    expect((await client.storage.emptyBucket(id)).error).toMatchObject({ status: 403, statusCode: '403' });
    expect((await client.storage.deleteBucket(id)).error).toMatchObject({ statusCode: '404' });
  }
  expect((await storage.getBucket(id)).data).toMatchObject({ public: true });
});

describe('what a bucket accepts', () => {
  test('no more than its size limit and the service’s, however the object is sent', async () => {
    const [small, unlimited] = [aName(), aName()];
    await storage.createBucket(small, { public: false, fileSizeLimit: 10 });
    await storage.createBucket(unlimited, { public: false, fileSizeLimit: '1GB' });
    const tooLarge = { status: 400, statusCode: '413', message: 'The object exceeded the maximum allowed size' };
    const stream = (size: number) => new Blob([Buffer.alloc(size)]).stream();
    for (const [bucket, most] of [
      [small, 10],
      [unlimited, 2000],
    ] as const) {
      const files = storage.from(bucket);
      expect((await files.upload('fits', Buffer.alloc(most))).error).toBeNull();
      for (const body of [
        Buffer.alloc(most + 1),
        new Blob([Buffer.alloc(most + 1)]),
        stream(most + 1),
        stream(500_000),
      ]) {
        expect((await files.upload('is-too-large', body)).error).toMatchObject(tooLarge);
      }
      expect((await files.list()).data?.map(({ name }) => name)).toEqual(['fits']);
    }
    expect((await storage.from(unlimited).copy('fits', 'copy', { destinationBucket: small })).error).toMatchObject(
      tooLarge,
    );
    expect((await storage.from(unlimited).move('fits', 'moved', { destinationBucket: small })).error).toMatchObject(
      tooLarge,
    );
  });

  test('only its MIME types', async () => {
    const id = aName();
    await storage.createBucket(id, { public: false, allowedMimeTypes: ['image/*', 'text/plain'] });
    const files = storage.from(id);
    for (const contentType of ['image/png', 'text/plain;charset=UTF-8', 'IMAGE/webp']) {
      expect((await files.upload('a', 'x', { contentType, upsert: true })).error, contentType).toBeNull();
    }
    for (const contentType of ['text/html', 'image', 'imagex/png', 'application/octet-stream']) {
      const { error } = await files.upload('b', 'x', { contentType });
      expect(error, contentType).toMatchObject({ status: 400, statusCode: '415' });
    }
    expect((await files.upload('b', new Blob(['x'], { type: 'text/html' }))).error).toMatchObject({
      message: 'mime type text/html is not supported',
    });
  });

  test('nothing if the bucket does not exist', async () => {
    expect((await storage.from('nowhere').upload('a', 'x')).error).toMatchObject({
      status: 400,
      statusCode: '404',
      message: 'Bucket not found',
    });
  });
});

test.each(['', ' outer', 'a/b', 'ü', 'x'.repeat(101)])('the name "%s" is invalid for a bucket', async (name) => {
  expect((await storage.createBucket(name)).error).toMatchObject({ statusCode: '400' });
});

test.each(['x', '-1', '20 mib', 0])('%s is not a size', async (fileSizeLimit) => {
  expect((await storage.createBucket(aName(), { public: false, fileSizeLimit })).error).toMatchObject({
    message: 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
  });
});

test('a size is in decimal units', async () => {
  const id = aName();
  await storage.createBucket(id, { public: false, fileSizeLimit: '1.5 MB' });
  expect((await storage.getBucket(id)).data).toMatchObject({ file_size_limit: 1_500_000 });
});

test('unsupported kinds of buckets are refused and not created', async () => {
  const id = aName();
  const refusal = { status: 422, statusCode: '422', code: 'FeatureNotEnabled' };
  expect((await storage.createBucket(id, { public: false, type: 'ANALYTICS' })).error).toMatchObject(refusal);
  expect((await storage.createBucket(id, { public: false, versioningStatus: 'ENABLED' })).error).toMatchObject(refusal);
  expect((await storage.getBucket(id)).error).toMatchObject({ code: 'NoSuchBucket' });
  await storage.createBucket(id);
  expect((await storage.updateBucket(id, { public: true, versioningStatus: 'ENABLED' })).error).toMatchObject(refusal);
  expect((await storage.getBucket(id)).data?.public).toBe(false);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '#tests/support/long-runs.ts';
import { startS3Server } from '#tests/support/s3/start-s3-server.ts';
import { startSwift } from '#tests/support/s3/start-swift.ts';
import { serveLoopback } from '#tests/support/serve-loopback.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { UploadPlaces } from '../uploads/upload-places.ts';
import { ALL_KEYS, type BlobStore, BlobStoreUnavailable, type KeyRange } from './blob-store.ts';
import { openDiskBlobStore } from './disk-blob-store.ts';
import { createS3BlobStore } from './s3-blob-store.ts';
import type { S3Settings } from './s3-bucket.ts';
import { openSpool } from './spool.ts';

const folder = await temporaryFolder();
const arriving = join(folder, 'arriving');
const reserve = { require: async () => undefined };
const spool = await openSpool({
  directory: arriving,
  disk: reserve,
  places: new UploadPlaces({ largestFile: 0, processes: 1 }),
});
const place = { region: 'eu-central-1', bucket: 'reunite-files' };
const s3 = await startS3Server(place.bucket);
const settings: S3Settings = { ...place, endpoint: s3.endpoint, ...s3.credentials };
const objectStores: [string, S3Settings][] = [['an object store', settings]];

const swiftPython = process.env.SWIFT_PYTHON;
if (swiftPython === undefined) {
  if (isLongRun) test.skip('OpenStack Swift keeps blobs too (SWIFT_PYTHON names no Python that has it)');
} else {
  const swift = await startSwift(swiftPython, place.bucket);
  objectStores.push(['OpenStack Swift', { ...place, endpoint: swift.endpoint, ...swift.credentials }]);
}

const disk = await openDiskBlobStore({ directory: join(folder, 'blobs'), arriving, disk: reserve });
const stores: [string, BlobStore][] = [
  ['files on disk', disk],
  ...objectStores.map(([name, where]): [string, BlobStore] => [name, createS3BlobStore(where)]),
];

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function put(store: BlobStore, bytes: Uint8Array): Promise<string> {
  const key = randomUUID();
  const file = await spool.receive(chunks(bytes), 10_000_000, null);
  await store.put(key, file);
  await spool.drop(file);
  return key;
}

async function read(store: BlobStore, key: string, range?: { first: number; last: number }): Promise<Buffer | null> {
  const stream = await store.open(key, range);
  return stream === null ? null : buffer(stream);
}

async function keysOf(store: BlobStore, range: KeyRange = ALL_KEYS): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(range)) keys.push(key);
  return keys.sort();
}

describe.each(stores)('%s', (_name, store) => {
  test('a blob comes back whole and in parts', async () => {
    const bytes = randomBytes(3_000_000);
    const key = await put(store, bytes);
    expect((await read(store, key))?.equals(bytes)).toBe(true);
    expect(
      (await read(store, key, { first: 1_000_000, last: 1_000_009 }))?.equals(bytes.subarray(1_000_000, 1_000_010)),
    ).toBe(true);
  });

  test('an empty blob is a blob', async () => {
    expect((await read(store, await put(store, Buffer.alloc(0))))?.length).toBe(0);
  });

  test('a missing blob is null, cannot be copied, and can be removed without an error', async () => {
    const key = randomUUID();
    expect(await read(store, key)).toBeNull();
    expect(await store.copy(key, randomUUID())).toBe(false);
    await store.remove(key);
  });

  test('a copy is a blob of its own', async () => {
    const [from, to] = [await put(store, Buffer.from('twice')), randomUUID()];
    expect(await store.copy(from, to)).toBe(true);
    await store.remove(from);
    expect(await read(store, from)).toBeNull();
    expect((await read(store, to))?.toString()).toBe('twice');
  });

  test('a list names every blob once, with the time it was stored', async () => {
    const before = await keysOf(store);
    const added: string[] = [];
    for (let count = 0; count < 8; count += 1) added.push(await put(store, Buffer.from('x')));
    expect(await keysOf(store)).toEqual([...before, ...added].sort());
    for await (const { storedAt } of store.list(ALL_KEYS)) expect(Math.abs(Date.now() - storedAt)).toBeLessThan(60_000);
    for (const key of added) await store.remove(key);
    expect(await keysOf(store)).toEqual(before);
  });

  test('a list of a range names the blobs in it, its first and last characters included', async () => {
    for (let count = 0; count < 8; count += 1) await put(store, Buffer.from('x'));
    const all = await keysOf(store);
    const [key = ''] = all;
    const at = Number.parseInt(key.slice(0, 2), 16);
    expect(await keysOf(store, { first: at, last: at })).toEqual(all.filter((one) => one.startsWith(key.slice(0, 2))));
    const [low, high] = [
      await keysOf(store, { first: 0, last: at }),
      await keysOf(store, { first: at + 1, last: 255 }),
    ];
    expect(low).toContain(key);
    expect([...low, ...high]).toEqual(all);
  });

  test.each(['../../secrets.json', 'a', `${randomUUID()}/..`])('%s is no key', async (key) => {
    await expect(store.open(key)).rejects.toThrow();
    await expect(store.remove(key)).rejects.toThrow();
  });
});

test('an upload that breaks off or grows too large leaves nothing on the disk', async () => {
  async function* breaking() {
    yield Buffer.alloc(100);
    throw new Error('gone');
  }
  await expect(spool.receive(breaking(), 1_000, null)).rejects.toThrow('gone');
  await expect(spool.receive(chunks(Buffer.alloc(1_001)), 1_000, null)).rejects.toMatchObject({
    code: 'EntityTooLarge',
  });
  expect(await readdir(join(folder, 'arriving'))).toEqual([]);
});

describe.each(objectStores)('%s refuses', (_name, right) => {
  test.each([
    ['a wrong secret', { secretAccessKey: 'another' }],
    ['a wrong key', { accessKeyId: 'another' }],
    ['another bucket', { bucket: 'elsewhere' }],
  ])('%s: reported as an error of the operator, not as a missing blob', async (_case, wrong) => {
    const store = createS3BlobStore({ ...right, ...wrong });
    const before = await keysOf(createS3BlobStore(right));
    await expect(put(store, Buffer.from('x'))).rejects.toThrow(BlobStoreUnavailable);
    await expect(keysOf(store)).rejects.toThrow(BlobStoreUnavailable);
    await expect(store.open(randomUUID())).rejects.toThrow(BlobStoreUnavailable);
    await expect(store.copy(randomUUID(), randomUUID())).rejects.toThrow(BlobStoreUnavailable);
    await expect(store.remove(randomUUID())).rejects.toThrow(BlobStoreUnavailable);
    expect(await keysOf(createS3BlobStore(right))).toEqual(before);
  });
});

test('a request is repeated after a temporary failure', async () => {
  const store = createS3BlobStore(settings);
  s3.failNext(503, 2);
  const key = await put(store, Buffer.from('in the end'));
  expect((await read(store, key))?.toString()).toBe('in the end');
});

test('a whole object in response to a range is not read to its end', async () => {
  const closed = Promise.withResolvers<void>();
  const endpoint = await serveLoopback((_request, response) => {
    response.on('close', closed.resolve);
    response.writeHead(200).write(Buffer.alloc(1_000_000));
  });
  const store = createS3BlobStore({ ...settings, endpoint });
  await expect(store.open(randomUUID(), { first: 0, last: 9 })).rejects.toThrow(
    'The object store responded 200 (no code) to GET.',
  );
  await closed.promise;
});

test('an unreachable service is reported', async () => {
  const store = createS3BlobStore({ ...settings, endpoint: 'http://localhost:1' });
  await expect(store.open(randomUUID())).rejects.toThrow(BlobStoreUnavailable);
});

test('a request without a response times out', async () => {
  const endpoint = await serveLoopback(() => undefined);
  const store = createS3BlobStore({ ...settings, endpoint, timeoutMs: 100 });
  await expect(put(store, randomBytes(1_000))).rejects.toThrow('The object store does not respond.');
  await expect(store.open(randomUUID())).rejects.toThrow(BlobStoreUnavailable);
  await expect(store.remove(randomUUID())).rejects.toThrow(BlobStoreUnavailable);
});

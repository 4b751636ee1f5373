import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { S3Account } from '#server/storage/blobs/s3-bucket.ts';
import { isLongRun } from '#tests/support/long-runs.ts';
import { startS3Server } from '#tests/support/s3/start-s3-server.ts';
import { startSwift } from '#tests/support/s3/start-swift.ts';
import { readBucketAddress } from './bucket-address.ts';
import { bucketPlace, PART_BYTES } from './bucket-place.ts';

const [bucket, region] = ['our-backups', 'eu-central-1'];
const address = { bucket, prefix: 'some/prefix/' };
const name = 'reunite-2026-11-28T03-30-00Z.tar';
const s3 = await startS3Server(bucket);
const stores: [string, S3Account][] = [['an object store', { endpoint: s3.endpoint, region, ...s3.credentials }]];

const swiftPython = process.env.SWIFT_PYTHON;
if (swiftPython === undefined) {
  if (isLongRun) test.skip('OpenStack Swift keeps backups too (SWIFT_PYTHON names no Python that has it)');
} else {
  const swift = await startSwift(swiftPython, bucket);
  stores.push(['OpenStack Swift', { endpoint: swift.endpoint, region, ...swift.credentials }]);
}

describe.each(stores)('%s', (_name, account) => {
  const place = bucketPlace(address, account);

  test('a backup of several parts has its name once it is whole, and comes back', async () => {
    const bytes = randomBytes(2 * PART_BYTES + 12_345);
    await place.write(name, async (pass) => {
      for (let at = 0; at < bytes.byteLength; at += 1_000_003) await pass(bytes.subarray(at, at + 1_000_003));
      expect(await place.list()).toEqual([]);
    });
    expect(await place.list()).toEqual([{ name, size: bytes.byteLength }]);
    expect((await buffer(place.read(name))).equals(bytes)).toBe(true);
    await expect(place.write(name, async () => undefined)).rejects.toThrow('already exists');
    await place.remove(name);
    await place.remove(name);
    expect(await place.list()).toEqual([]);
  });

  test('one that fails half-way leaves nothing', async () => {
    const writing = place.write(name, async (pass) => {
      await pass(Buffer.alloc(PART_BYTES + 1));
      throw new Error('The disk is full.');
    });
    await expect(writing).rejects.toThrow('The disk is full.');
    expect(await place.list()).toEqual([]);
    await expect(buffer(place.read(name))).rejects.toThrow(`There is no s3://our-backups/some/prefix/${name}.`);
  });

  test('a small file is replaced, and names below it are another place', async () => {
    await place.replace('a.txt', 'before');
    await place.replace('a.txt', 'now');
    await bucketPlace({ bucket, prefix: 'some/prefix/further/' }, account).replace('b.txt', 'elsewhere');
    expect(`${await buffer(place.read('a.txt'))}`).toBe('now');
    expect(await place.list()).toEqual([{ name: 'a.txt', size: 3 }]);
  });
});

test('an address is a bucket with any number of folders', () => {
  expect(readBucketAddress('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '' });
  expect(readBucketAddress('s3://bucket/a/b/')).toEqual({ bucket: 'bucket', prefix: 'a/b/' });
  for (const text of ['/mnt/backups', 's3:/bucket', 's3://', 's3://B', 's3://bucket//a', 's3://bucket/a b']) {
    expect(readBucketAddress(text)).toBeNull();
  }
});

import { openAsBlob } from 'node:fs';
import {
  ALL_KEYS,
  type BlobStore,
  BlobStoreUnavailable,
  beginningsOf,
  requireKey,
  type StoredBlob,
} from './blob-store.ts';
import { openS3Bucket, readResponse, type S3Settings, textOf } from './s3-bucket.ts';

/** Stores blobs as objects of an S3-compatible service, addressed as `endpoint/bucket/key`. */
export function createS3BlobStore(settings: S3Settings): BlobStore {
  const { find, ask, list } = openS3Bucket(settings);
  const { bucket } = settings;

  return {
    async put(key, { path, sha256 }) {
      // A Blob of a file is streamed from the disk and has a known length.
      const body = await openAsBlob(path);
      const response = await ask(
        pathOf(key),
        { method: 'PUT', body, headers: { 'X-Amz-Content-Sha256': sha256 } },
        [200],
      );
      await response.body?.cancel();
    },
    async open(key, range) {
      const headers: Record<string, string> = range ? { Range: `bytes=${range.first}-${range.last}` } : {};
      const response = await find(pathOf(key), { headers }, range ? [206] : [200]);
      return response && (response.body ?? new Blob([]).stream());
    },
    async copy(from, to) {
      const headers = { 'X-Amz-Copy-Source': `/${bucket}${pathOf(from)}` };
      const response = await find(pathOf(to), { method: 'PUT', headers }, [200]);
      if (response === null) return false;
      // Amazon S3 responds 200 before it copies, and reports the result in the body.
      const said = await readResponse(response);
      if (!said.includes('<CopyObjectResult'))
        throw new BlobStoreUnavailable('The object store could not copy the object.');
      return true;
    },
    async remove(key) {
      const response = await find(pathOf(key), { method: 'DELETE' }, [200, 204]);
      await response?.body?.cancel();
    },
    async *list(range) {
      // One listing of everything takes the fewest requests where everything is wanted.
      const isEverything = range.first === ALL_KEYS.first && range.last === ALL_KEYS.last;
      for (const prefix of isEverything ? [''] : beginningsOf(range)) {
        for await (const entry of list(prefix)) yield* readBlob(entry);
      }
    },
  };
}

function pathOf(key: string): string {
  return `/${requireKey(key)}`;
}

/** Keys are UUIDs, which need no XML unescaping. */
function* readBlob(entry: string): Generator<StoredBlob> {
  const key = textOf(entry, 'Key');
  const storedAt = Date.parse(textOf(entry, 'LastModified') ?? '');
  if (key !== undefined && !Number.isNaN(storedAt)) yield { key, storedAt };
}

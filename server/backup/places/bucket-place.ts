import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { OperatorError } from '#server/operator-error.ts';
import { BlobStoreUnavailable } from '#server/storage/blobs/blob-store.ts';
import { openS3Bucket, readResponse, type S3Account, type S3Bucket, textOf } from '#server/storage/blobs/s3-bucket.ts';
import { isNameOfBackup } from '../backup-names.ts';
import type { BackupPlace, PlacedFile } from './backup-place.ts';
import type { BucketAddress } from './bucket-address.ts';

/** How much of a backup is in memory. 10,000 parts are the most that Amazon S3 takes, all but the last of one size. */
export const PART_BYTES = 16 * 1024 * 1024;
const MOST_PARTS = 10_000;
/** So much is read with one request, so that no response waits for what is done with it. */
const READ_BYTES = 1024 * 1024;
/** A part takes so long over a line of half a megabit a second. */
const TIMEOUT_MS = 300_000;
/** An upload that was begun so long ago is of a run that was killed. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** Backups in a bucket of an S3-compatible object store, uploaded in parts: the object is there once it is whole. */
export function bucketPlace({ bucket, prefix }: BucketAddress, account: S3Account): BackupPlace {
  const s3 = openS3Bucket({ ...account, bucket, timeoutMs: TIMEOUT_MS });
  const address = `s3://${bucket}/${prefix}`.replace(/\/$/, '');
  const pathOf = (name: string) => `/${prefix}${name}`;

  async function list(): Promise<PlacedFile[]> {
    const found: PlacedFile[] = [];
    for await (const entry of s3.list(prefix)) {
      const name = (textOf(entry, 'Key') ?? '').slice(prefix.length);
      // Others may keep something below it.
      if (name !== '' && !name.includes('/')) found.push({ name, size: Number(textOf(entry, 'Size')) });
    }
    return found;
  }

  return {
    address,
    addressOf: (name) => `${address}/${name}`,
    list,
    async *read(name) {
      for (let first = 0, size = 1; first < size; first += READ_BYTES) {
        const headers = { Range: `bytes=${first}-${first + READ_BYTES - 1}` };
        const response = await s3.find(pathOf(name), { headers }, [206]);
        if (response === null) throw new OperatorError(`There is no ${address}/${name}.`);
        size = Number(response.headers.get('content-range')?.split('/')[1]);
        yield await buffer(response.body ?? new Blob([]).stream()).catch((cause: unknown) => {
          throw new BlobStoreUnavailable('The object store closed the connection early.', { cause });
        });
      }
    },
    async write(name, work) {
      if ((await list()).some((file) => file.name === name))
        throw new OperatorError(`${address}/${name} already exists.`);
      await endAbandoned(s3, prefix);
      const upload = await beginUpload(s3, pathOf(name));
      try {
        const result = await work(upload.pass);
        await upload.finish();
        return result;
      } catch (error) {
        // It stays invisible, and the next backups end it.
        await upload.abort().catch(() => undefined);
        throw error;
      }
    },
    async replace(name, text) {
      const response = await s3.ask(pathOf(name), withBody('PUT', Buffer.from(text)), [200]);
      await response.body?.cancel();
    },
    async remove(name) {
      const response = await s3.find(pathOf(name), { method: 'DELETE' }, [200, 204]);
      await response?.body?.cancel();
    },
    free: async () => null,
  };
}

/** Uploads one object in parts. What is not finished can be neither seen nor read. */
async function beginUpload(s3: S3Bucket, path: string) {
  const begun = await readResponse(await s3.ask(`${path}?uploads=`, { method: 'POST' }, [200]));
  const id = encodeURIComponent(textOf(begun, 'UploadId') ?? '');
  const held = Buffer.allocUnsafe(PART_BYTES);
  let size = 0;
  const tags: string[] = [];

  async function send(): Promise<void> {
    const number = tags.length + 1;
    if (number > MOST_PARTS) {
      throw new OperatorError('The backup is too large for an object store. Name a folder for it.');
    }
    const part = withBody('PUT', held.subarray(0, size));
    const response = await s3.ask(`${path}?partNumber=${number}&uploadId=${id}`, part, [200]);
    await response.body?.cancel();
    tags.push(response.headers.get('etag') ?? '');
    size = 0;
  }

  return {
    async pass(bytes: Buffer): Promise<void> {
      for (let from = 0; from < bytes.byteLength; ) {
        const copied = bytes.copy(held, size, from);
        size += copied;
        from += copied;
        if (size === PART_BYTES) await send();
      }
    },
    async finish(): Promise<void> {
      if (size > 0) await send();
      const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const list = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      // Amazon S3 responds 200 before it puts the parts together, and reports the result in the body.
      const said = await readResponse(await s3.ask(`${path}?uploadId=${id}`, withBody('POST', list), [200]));
      if (!said.includes('<CompleteMultipartUploadResult')) {
        throw new BlobStoreUnavailable('The object store could not put the parts of the backup together.');
      }
    },
    abort: () => endUpload(s3, path, id),
  };
}

/** Ends uploads of runs that were killed, whose parts take up room. */
async function endAbandoned(s3: S3Bucket, prefix: string): Promise<void> {
  const query = new URLSearchParams({ uploads: '', prefix: `${prefix}reunite-` });
  const page = await readResponse(await s3.ask(`?${query}`, {}, [200]));
  for (const [, entry = ''] of page.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
    const [key = '', id = ''] = [textOf(entry, 'Key'), textOf(entry, 'UploadId')];
    const begunAt = Date.parse(textOf(entry, 'Initiated') ?? '');
    if (!isNameOfBackup(key.slice(prefix.length)) || !(Date.now() - begunAt > ABANDONED_MS)) continue;
    await endUpload(s3, `/${key}`, encodeURIComponent(id));
  }
}

async function endUpload(s3: S3Bucket, path: string, id: string): Promise<void> {
  // One that is gone is a 404.
  const response = await s3.ask(`${path}?uploadId=${id}`, { method: 'DELETE' }, [200, 204, 404]);
  await response.body?.cancel();
}

function withBody(method: string, body: Buffer): RequestInit {
  const sha256 = createHash('sha256').update(body).digest('hex');
  // A Buffer is over an ArrayBuffer here, never a shared one.
  return { method, body: body as Uint8Array<ArrayBuffer>, headers: { 'X-Amz-Content-Sha256': sha256 } };
}

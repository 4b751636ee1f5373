import { openAsBlob } from 'node:fs';
import { AwsClient } from 'aws4fetch';
import { type BlobStore, BlobStoreUnavailable, requireKey, type StoredBlob } from './blob-store.ts';

export interface S3Settings {
  /** Without a trailing slash, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const RETRIES = 3;
/** Of nothing, in hexadecimal. */
const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Blobs as objects of any service that speaks S3, each under its key, addressed as `endpoint/bucket/key`. Every request
 * carries the hash of its body in its signature (Signature Version 4), so what arrives is what was sent.
 */
export function createS3BlobStore({ endpoint, bucket, ...credentials }: S3Settings): BlobStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES });
  const bucketUrl = `${endpoint}/${bucket}`;

  /** The answer where its status is one of `expected`. */
  async function ask(path: string, init: RequestInit, expected: readonly number[]): Promise<Response> {
    const response = await client
      .fetch(bucketUrl + path, {
        ...init,
        headers: { 'X-Amz-Content-Sha256': SHA256_OF_NOTHING, ...init.headers },
      })
      .catch((cause: unknown) => {
        throw new BlobStoreUnavailable('The object store does not answer.', { cause });
      });
    if (expected.includes(response.status)) return response;
    await response.body?.cancel();
    throw new BlobStoreUnavailable(`The object store answered ${response.status} to ${init.method ?? 'GET'}.`);
  }

  return {
    async put(key, { path, sha256 }) {
      // A Blob of a file is read from the disk while it is sent, and knows its length.
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
      const response = await ask(pathOf(key), { headers }, range ? [206, 404] : [200, 404]);
      if (response.status !== 404) return response.body ?? new Blob([]).stream();
      await response.body?.cancel();
      return null;
    },
    async copy(from, to) {
      const headers = { 'X-Amz-Copy-Source': `/${bucket}${pathOf(from)}` };
      const response = await ask(pathOf(to), { method: 'PUT', headers }, [200, 404]);
      // Amazon says 200 before it begins, and in the body what became of it.
      const said = await response.text();
      if (response.status === 404) return false;
      if (!said.includes('<CopyObjectResult')) throw new BlobStoreUnavailable('The object store could not copy.');
      return true;
    },
    async remove(key) {
      const response = await ask(pathOf(key), { method: 'DELETE' }, [200, 204, 404]);
      await response.body?.cancel();
    },
    async *list() {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          ...(token !== undefined && { 'continuation-token': token }),
        });
        const response = await ask(`?${query}`, {}, [200]);
        const page = await response.text();
        yield* readBlobs(page);
        token = /<IsTruncated>true</.test(page) ? textOf(page, 'NextContinuationToken') : undefined;
      } while (token !== undefined);
    },
  };
}

function pathOf(key: string): string {
  return `/${requireKey(key)}`;
}

/** Keys are ours: UUIDs, which XML writes as they are. */
function* readBlobs(page: string): Generator<StoredBlob> {
  for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = textOf(entry, 'Key');
    const storedAt = Date.parse(textOf(entry, 'LastModified') ?? '');
    if (key !== undefined && !Number.isNaN(storedAt)) yield { key, storedAt };
  }
}

function textOf(xml: string, element: string): string | undefined {
  return new RegExp(`<${element}>([^<]*)</${element}>`)
    .exec(xml)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

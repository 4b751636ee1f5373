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
  /** Longest wait for an answer to begin, in milliseconds; what is put is sent meanwhile. */
  readonly patienceMs?: number;
}

const RETRIES = 3;
/** More than any refusal has before its code. */
const MOST_REFUSAL_BYTES = 4_096;
/** Of nothing, in hexadecimal. */
const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Blobs as objects of any service that speaks S3, each under its key, addressed as `endpoint/bucket/key`. Every request
 * carries the hash of its body in its signature (Signature Version 4), so what arrives is what was sent.
 */
export function createS3BlobStore({ endpoint, bucket, patienceMs = 30_000, ...credentials }: S3Settings): BlobStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES });
  const bucketUrl = `${endpoint}/${bucket}`;

  /** The answer where its status is one of `expected`; null where the bucket has no such object. */
  async function find(path: string, init: RequestInit, expected: readonly number[]): Promise<Response | null> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), patienceMs);
    try {
      const response = await client
        .fetch(bucketUrl + path, {
          ...init,
          headers: { 'X-Amz-Content-Sha256': SHA256_OF_NOTHING, ...init.headers },
          signal: late.signal,
        })
        .catch((cause: unknown) => {
          throw new BlobStoreUnavailable('The object store does not answer.', { cause });
        });
      // Its body may take as long as whoever reads it.
      if (expected.includes(response.status)) return response;
      // A bucket that is not there is 404 too, and is the operator's mistake.
      const code = textOf(await readRefusal(response), 'Code') ?? 'no code';
      if (response.status === 404 && code === 'NoSuchKey') return null;
      throw new BlobStoreUnavailable(
        `The object store answered ${response.status} (${code}) to ${init.method ?? 'GET'}.`,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask(path: string, init: RequestInit, expected: readonly number[]): Promise<Response> {
    const response = await find(path, init, expected);
    if (response === null) throw new BlobStoreUnavailable('The object store does not know what it was told to do.');
    return response;
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
      const response = await find(pathOf(key), { headers }, range ? [206] : [200]);
      return response && (response.body ?? new Blob([]).stream());
    },
    async copy(from, to) {
      const headers = { 'X-Amz-Copy-Source': `/${bucket}${pathOf(from)}` };
      const response = await find(pathOf(to), { method: 'PUT', headers }, [200]);
      if (response === null) return false;
      // Amazon says 200 before it begins, and in the body what became of it.
      const said = await readAnswer(response);
      if (!said.includes('<CopyObjectResult')) throw new BlobStoreUnavailable('The object store could not copy.');
      return true;
    },
    async remove(key) {
      const response = await find(pathOf(key), { method: 'DELETE' }, [200, 204]);
      await response?.body?.cancel();
    },
    async *list() {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          ...(token !== undefined && { 'continuation-token': token }),
        });
        const response = await ask(`?${query}`, {}, [200]);
        const page = await readAnswer(response);
        yield* readBlobs(page);
        token = /<IsTruncated>true</.test(page) ? textOf(page, 'NextContinuationToken') : undefined;
      } while (token !== undefined);
    },
  };
}

/** The beginning of an answer that was not expected: the rest could be a whole object, where a range is not heeded. */
async function readRefusal({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop ends the request.
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MOST_REFUSAL_BYTES) break;
    }
  } catch (cause) {
    throw new BlobStoreUnavailable('The object store broke off.', { cause });
  }
  return Buffer.concat(chunks).toString();
}

function readAnswer(response: Response): Promise<string> {
  return response.text().catch((cause: unknown) => {
    throw new BlobStoreUnavailable('The object store broke off.', { cause });
  });
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

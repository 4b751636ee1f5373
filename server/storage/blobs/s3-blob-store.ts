import { openAsBlob } from 'node:fs';
import { AwsClient } from 'aws4fetch';
import {
  ALL_KEYS,
  type BlobStore,
  BlobStoreUnavailable,
  beginningsOf,
  requireKey,
  type StoredBlob,
} from './blob-store.ts';

export interface S3Settings {
  /** Without a trailing slash, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Timeout until a response begins, in milliseconds. Uploading the body counts towards it. */
  readonly timeoutMs?: number;
}

const RETRIES = 3;
/** Error responses have their code within this many bytes. */
const MOST_REFUSAL_BYTES = 4_096;
/** The SHA-256 of the empty body, in hexadecimal. */
const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Stores blobs as objects of an S3-compatible service, addressed as `endpoint/bucket/key`. Each request's signature
 * includes the hash of its body (Signature Version 4), so the service verifies what it receives.
 */
export function createS3BlobStore({ endpoint, bucket, timeoutMs = 30_000, ...credentials }: S3Settings): BlobStore {
  const client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES });
  const bucketUrl = `${endpoint}/${bucket}`;

  /** Returns the response where its status is one of `expected`, or null where the bucket has no such object. */
  async function find(path: string, init: RequestInit, expected: readonly number[]): Promise<Response | null> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const response = await client
        .fetch(bucketUrl + path, {
          ...init,
          headers: { 'X-Amz-Content-Sha256': SHA256_OF_NOTHING, ...init.headers },
          signal: late.signal,
        })
        .catch((cause: unknown) => {
          throw new BlobStoreUnavailable('The object store does not respond.', { cause });
        });
      // The timeout does not apply to reading the body.
      if (expected.includes(response.status)) return response;
      // A missing bucket is a 404 too, but a mistake of the operator's.
      const code = textOf(await readRefusal(response), 'Code') ?? 'no code';
      if (response.status === 404 && code === 'NoSuchKey') return null;
      throw new BlobStoreUnavailable(
        `The object store responded ${response.status} (${code}) to ${init.method ?? 'GET'}.`,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async function ask(path: string, init: RequestInit, expected: readonly number[]): Promise<Response> {
    const response = await find(path, init, expected);
    if (response === null) throw new BlobStoreUnavailable('The object store unexpectedly responded with NoSuchKey.');
    return response;
  }

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
        let token: string | undefined;
        do {
          const query = new URLSearchParams({
            'list-type': '2',
            ...(prefix !== '' && { prefix }),
            ...(token !== undefined && { 'continuation-token': token }),
          });
          const response = await ask(`?${query}`, {}, [200]);
          const page = await readResponse(response);
          yield* readBlobs(page);
          token = /<IsTruncated>true</.test(page) ? textOf(page, 'NextContinuationToken') : undefined;
        } while (token !== undefined);
      }
    },
  };
}

/** Reads the beginning of an unexpected response. The rest could be a whole object, where a service ignores ranges. */
async function readRefusal({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Leaving the loop cancels the request.
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MOST_REFUSAL_BYTES) break;
    }
  } catch (cause) {
    throw new BlobStoreUnavailable('The object store closed the connection early.', { cause });
  }
  return Buffer.concat(chunks).toString();
}

function readResponse(response: Response): Promise<string> {
  return response.text().catch((cause: unknown) => {
    throw new BlobStoreUnavailable('The object store closed the connection early.', { cause });
  });
}

function pathOf(key: string): string {
  return `/${requireKey(key)}`;
}

/** Keys are UUIDs, which need no XML unescaping. */
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

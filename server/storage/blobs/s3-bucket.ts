import { AwsClient } from 'aws4fetch';
import { BlobStoreUnavailable } from './blob-store.ts';

/** An S3-compatible service and a key of it. */
export interface S3Account {
  /** Without a trailing slash, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Settings extends S3Account {
  readonly bucket: string;
  /** Timeout until a response begins, in milliseconds. Uploading the body counts towards it. */
  readonly timeoutMs?: number;
}

/** Requests to one bucket. Each throws `BlobStoreUnavailable` where the service fails. */
export interface S3Bucket {
  /** Returns the response where its status is one of `expected`, or null where the bucket has no such object. */
  find(path: string, init: RequestInit, expected: readonly number[]): Promise<Response | null>;
  /** Returns the response where its status is one of `expected`. */
  ask(path: string, init: RequestInit, expected: readonly number[]): Promise<Response>;
  /** Lists the objects whose keys begin with a text, each as XML. */
  list(prefix: string): AsyncGenerator<string>;
}

const RETRIES = 3;
/** Error responses have their code within this many bytes. */
const MOST_REFUSAL_BYTES = 4_096;
/** The SHA-256 of the empty body, in hexadecimal. */
const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * Opens a bucket, addressed as `endpoint/bucket`. Each request's signature includes the hash of its body (Signature
 * Version 4), so the service verifies what it receives.
 */
export function openS3Bucket({ endpoint, bucket, timeoutMs = 30_000, ...credentials }: S3Settings): S3Bucket {
  const client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES });
  const bucketUrl = `${endpoint}/${bucket}`;

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
    find,
    ask,
    async *list(prefix) {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({
          'list-type': '2',
          ...(prefix !== '' && { prefix }),
          ...(token !== undefined && { 'continuation-token': token }),
        });
        const page = await readResponse(await ask(`?${query}`, {}, [200]));
        for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) yield entry;
        token = /<IsTruncated>true</.test(page) ? textOf(page, 'NextContinuationToken') : undefined;
      } while (token !== undefined);
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

export function readResponse(response: Response): Promise<string> {
  return response.text().catch((cause: unknown) => {
    throw new BlobStoreUnavailable('The object store closed the connection early.', { cause });
  });
}

/** Returns what an element of a response contains. */
export function textOf(xml: string, element: string): string | undefined {
  return new RegExp(`<${element}>([^<]*)</${element}>`)
    .exec(xml)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveLoopback } from '../serve-loopback.ts';
import { type Credentials, checkSignature } from './signature.ts';

export interface S3Server {
  readonly endpoint: string;
  readonly credentials: Credentials;
  /** Everything that is in the bucket. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly storedAt: Date }>;
  /** Answers the next requests with this status instead, as a service that has trouble does. */
  failNext(status: number, requests: number): void;
}

/** How many keys a page of a list holds, so that a test needs few for several pages. */
const PAGE = 3;

/**
 * An object store with one bucket in memory, which responds like Amazon S3 to our requests. It refuses every request
 * with a wrong signature or body hash. It ends with the test.
 */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a secret with / and +' };
  const objects: S3Server['objects'] = new Map();
  let failures = { status: 0, left: 0 };

  const respond = async (request: IncomingMessage): Promise<[number, Record<string, string>, Buffer | string]> => {
    const body = await buffer(request);
    if (failures.left > 0) {
      failures = { ...failures, left: failures.left - 1 };
      return [failures.status, {}, '<Error/>'];
    }
    const { method = '', url: target = '' } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const problem = checkSignature({ method, target, headers }, credentials, Date.now());
    if (problem !== null) return [403, {}, `<Error><Code>${problem}</Code></Error>`];
    if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) {
      return [400, {}, '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>'];
    }
    const { pathname, searchParams } = new URL(target, 'http://s3');
    const [, asked = '', key = ''] = pathname.split('/').map(decodeURIComponent);
    if (asked !== bucket) return [404, {}, '<Error><Code>NoSuchBucket</Code></Error>'];
    const source = headers['x-amz-copy-source'];
    if (key === '') return [200, {}, listing(objects, searchParams)];
    if (method === 'DELETE') {
      objects.delete(key);
      return [204, {}, ''];
    }
    if (method === 'PUT') {
      if (source === undefined && headers['content-length'] === undefined) return [411, {}, '<Error/>'];
      const bytes = source === undefined ? body : objects.get(source.replace(`/${bucket}/`, ''))?.bytes;
      if (bytes === undefined) return [404, {}, '<Error><Code>NoSuchKey</Code></Error>'];
      objects.set(key, { bytes, storedAt: new Date() });
      return [200, {}, source === undefined ? '' : '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>'];
    }
    const found = objects.get(key)?.bytes;
    if (found === undefined) return [404, {}, '<Error><Code>NoSuchKey</Code></Error>'];
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    return first === undefined ? [200, {}, found] : [206, {}, found.subarray(Number(first), Number(last) + 1)];
  };

  const endpoint = await serveLoopback((request, response) => {
    respond(request).then(
      ([status, headers, body]) => response.writeHead(status, headers).end(body),
      () => response.writeHead(500).end(),
    );
  });
  return {
    endpoint,
    credentials,
    objects,
    failNext: (status, requests) => {
      failures = { status, left: requests };
    },
  };
}

function listing(objects: S3Server['objects'], asked: URLSearchParams): string {
  const [prefix, after] = [asked.get('prefix') ?? '', asked.get('continuation-token') ?? ''];
  const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
  const page = keys.slice(0, PAGE);
  const entries = page.map((key) => {
    const time = objects.get(key)?.storedAt.toISOString() ?? '';
    return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><Size>1</Size></Contents>`;
  });
  const more = keys.length > PAGE;
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
}

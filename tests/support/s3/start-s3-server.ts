import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serveLoopback } from '../serve-loopback.ts';
import { type Credentials, checkSignature } from './signature.ts';

export interface S3Server {
  readonly endpoint: string;
  readonly credentials: Credentials;
  /** Everything that is in the bucket. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly storedAt: Date }>;
  /** Uploads in parts that are not finished, by their ids. */
  readonly uploads: Map<string, Upload>;
  /** Answers the next requests with this status instead, as a service that has trouble does. */
  failNext(status: number, requests: number): void;
}

interface Upload {
  readonly key: string;
  readonly begunAt: Date;
  readonly parts: Map<number, Buffer>;
}

/** The least that Amazon S3 takes as a part, except for the last one. */
const LEAST_PART_BYTES = 5 * 1024 * 1024;

/** How many keys a page of a list holds, so that a test needs few for several pages. */
const PAGE = 3;

/**
 * An object store with one bucket in memory, which responds like Amazon S3 to our requests. It refuses every request
 * with a wrong signature or body hash. It ends with the test.
 */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a secret with / and +' };
  const objects: S3Server['objects'] = new Map();
  const uploads: S3Server['uploads'] = new Map();
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
    if (headers['x-amz-content-sha256'] !== sha256(body)) {
      return [400, {}, '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>'];
    }
    const { pathname, searchParams } = new URL(target, 'http://s3');
    const [, asked = '', ...path] = pathname.split('/').map(decodeURIComponent);
    const key = path.join('/');
    if (asked !== bucket) return [404, {}, '<Error><Code>NoSuchBucket</Code></Error>'];
    const source = headers['x-amz-copy-source'];
    if (key === '')
      return [200, {}, searchParams.has('uploads') ? unfinished(uploads) : listing(objects, searchParams)];
    const uploadId = searchParams.get('uploadId');
    if (method === 'POST' && searchParams.has('uploads')) {
      const id = `${uploads.size}/${randomUUID()}=`;
      uploads.set(id, { key, begunAt: new Date(), parts: new Map() });
      return [200, {}, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`];
    }
    if (uploadId !== null)
      return onUpload(uploadId, { method, key, number: Number(searchParams.get('partNumber')), body });
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
    if (first === undefined) return [200, {}, found];
    const part = found.subarray(Number(first), Number(last) + 1);
    const range = `bytes ${first}-${Number(first) + part.byteLength - 1}/${found.byteLength}`;
    return [206, { 'Content-Range': range }, part];
  };

  const onUpload = (
    id: string,
    { method, key, number, body }: { method: string; key: string; number: number; body: Buffer },
  ): [number, Record<string, string>, string] => {
    const upload = uploads.get(id);
    if (upload?.key !== key) return [404, {}, '<Error><Code>NoSuchUpload</Code></Error>'];
    if (method === 'PUT') {
      upload.parts.set(number, body);
      return [200, { ETag: `"${sha256(body)}"` }, ''];
    }
    if (method === 'POST') {
      const named = [...`${body}`.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
      const parts = named.map(([, part, tag]) => {
        const bytes = upload.parts.get(Number(part));
        return bytes === undefined || tag !== `"${sha256(bytes)}"` ? null : bytes;
      });
      if (parts.length === 0 || parts.includes(null)) return [400, {}, '<Error><Code>InvalidPart</Code></Error>'];
      if (parts.slice(0, -1).some((part) => (part?.byteLength ?? 0) < LEAST_PART_BYTES))
        return [400, {}, '<Error><Code>EntityTooSmall</Code></Error>'];
      objects.set(key, { bytes: Buffer.concat(parts.filter((part) => part !== null)), storedAt: new Date() });
    }
    uploads.delete(id);
    return method === 'POST' ? [200, {}, '<CompleteMultipartUploadResult/>'] : [204, {}, ''];
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
    uploads,
    failNext: (status, requests) => {
      failures = { status, left: requests };
    },
  };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unfinished(uploads: S3Server['uploads']): string {
  const entries = [...uploads].map(
    ([id, { key, begunAt }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begunAt.toISOString()}</Initiated></Upload>`,
  );
  return `<?xml version="1.0"?><ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`;
}

function listing(objects: S3Server['objects'], asked: URLSearchParams): string {
  const [prefix, after] = [asked.get('prefix') ?? '', asked.get('continuation-token') ?? ''];
  const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
  const page = keys.slice(0, PAGE);
  const entries = page.map((key) => {
    const { storedAt, bytes } = objects.get(key) ?? {};
    const time = storedAt?.toISOString() ?? '';
    return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><Size>${bytes?.byteLength}</Size></Contents>`;
  });
  const more = keys.length > PAGE;
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`;
}

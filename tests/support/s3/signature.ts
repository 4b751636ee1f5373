import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A request as it arrived; header names in lower case. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why the signature is refused, or null where it is good. */
export type SignatureProblem = 'NoSignature' | 'InvalidAccessKeyId' | 'RequestTimeTooSkewed' | 'SignatureDoesNotMatch';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const SKEW_MS = 15 * 60_000;

/**
 * Checks Signature Version 4 of Amazon S3 in the Authorization header, as "Authenticating Requests: Using the
 * Authorization Header" has it. `now` is in milliseconds since the epoch.
 */
export function checkSignature(
  request: SignedRequest,
  { accessKeyId, secretAccessKey }: Credentials,
  now: number,
): SignatureProblem | null {
  const authorization = request.headers.authorization ?? '';
  const [, key, date, region, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (key === undefined || date === undefined || region === undefined) return 'NoSignature';
  if (signedHeaders === undefined || signature === undefined) return 'NoSignature';
  if (key !== accessKeyId) return 'InvalidAccessKeyId';
  const time = request.headers['x-amz-date'] ?? '';
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(now - at) <= SKEW_MS) || !time.startsWith(date)) return 'RequestTimeTooSkewed';
  const names = signedHeaders.split(';');
  // Everything that Amazon wants signed.
  const mustBeSigned = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (mustBeSigned.some((name) => !names.includes(name))) return 'SignatureDoesNotMatch';

  const scope = `${date}/${region}/s3/aws4_request`;
  const stringToSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(request, names))].join('\n');
  const signingKey = ['aws4_request', 's3', region, date].reduceRight(
    (secret: Buffer, part) => hmac(secret, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const expected = hmac(signingKey, stringToSign);
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

function canonicalRequest({ method, target, headers }: SignedRequest, names: readonly string[]): string {
  const [path = '', query = ''] = target.split('?', 2);
  const parameters = [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const lines = names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`).join('');
  const body = headers['x-amz-content-sha256'] ?? '';
  return [
    method,
    encode(decodeURIComponent(path)).replaceAll('%2F', '/'),
    parameters,
    lines,
    names.join(';'),
    body,
  ].join('\n');
}

/** RFC 3986: everything but unreserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

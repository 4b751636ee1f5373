import { describe, expect, test } from 'vitest';
import { checkSignature, type SignedRequest } from './signature.ts';

/**
 * The examples and signatures of "Signature Calculations for the Authorization Header: Transferring Payload in a Single
 * Chunk" in Amazon's S3 API reference.
 */
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const NOW = Date.parse('2013-05-24T00:00:00Z');
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const PUT_BODY = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072';

function anExample(
  [method, target]: readonly [string, string],
  headers: Readonly<Record<string, string>>,
  signature: string,
): SignedRequest {
  const all: Record<string, string> = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': EMPTY,
    'x-amz-date': '20130524T000000Z',
    ...headers,
  };
  const names = Object.keys(all).sort().join(';');
  const credential = `${credentials.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names},Signature=${signature}`;
  return { method, target, headers: { ...all, authorization } };
}

const examples: [string, SignedRequest][] = [
  [
    'GET of an object with a range',
    anExample(
      ['GET', '/test.txt'],
      { range: 'bytes=0-9' },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ),
  ],
  [
    'PUT of an object',
    anExample(
      ['PUT', '/test$file.text'],
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-content-sha256': PUT_BODY,
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ),
  ],
  [
    'GET of a bucket’s lifecycle',
    anExample(['GET', '/?lifecycle'], {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
  ],
  [
    'GET of a bucket’s objects',
    anExample(['GET', '/?max-keys=2&prefix=J'], {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'),
  ],
];

describe.each(examples)('%s', (_name, request) => {
  test('is accepted as it was published', () => {
    expect(checkSignature(request, credentials, NOW)).toBeNull();
  });

  test('is refused if any part of it differs', () => {
    const { method, target, headers } = request;
    for (const changed of [
      { ...request, method: method === 'GET' ? 'PUT' : 'GET' },
      { ...request, target: `${target}x` },
      { ...request, headers: { ...headers, 'x-amz-content-sha256': PUT_BODY.replace('4', '5') } },
      { ...request, headers: { ...headers, 'x-amz-acl': 'public-read' } },
      { ...request, headers: { ...headers, host: 'other.example' } },
    ]) {
      expect(checkSignature(changed, credentials, NOW)).toBe('SignatureDoesNotMatch');
    }
    expect(checkSignature(request, { ...credentials, secretAccessKey: 'another' }, NOW)).toBe('SignatureDoesNotMatch');
    expect(checkSignature(request, { ...credentials, accessKeyId: 'another' }, NOW)).toBe('InvalidAccessKeyId');
    expect(checkSignature(request, credentials, NOW + 16 * 60_000)).toBe('RequestTimeTooSkewed');
    const { authorization: _none, ...unsigned } = headers;
    expect(checkSignature({ ...request, headers: unsigned }, credentials, NOW)).toBe('NoSignature');
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundaryOf, MalformedMultipart, readParts } from './multipart.ts';

interface Read {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
  readonly content: Buffer;
}

async function read(body: AsyncIterable<Uint8Array>, boundary: string): Promise<Read[]> {
  const read: Read[] = [];
  for await (const { content, ...part } of readParts(body, boundary)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    read.push({ ...part, content: Buffer.concat(chunks) });
  }
  return read;
}

async function* inChunks(bytes: Uint8Array, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test('what the platform writes as a form is read back, whatever it holds and however it is cut', async () => {
  // Delimiters, and what only begins like one.
  const bytes = fc.uint8Array({ maxLength: 300 });
  const tricky = fc.constantFrom('\r\n--', '\r\n', '--', '\r', '\r\n\r\n', '');
  await fc.assert(
    fc.asyncProperty(bytes, tricky, tricky, fc.integer({ min: 1, max: 80 }), async (middle, before, after, length) => {
      const content = Buffer.concat([Buffer.from(before), middle, Buffer.from(after)]);
      const form = new FormData();
      form.append('cacheControl', '3600');
      form.append('', new Blob([content], { type: 'image/png' }));
      const response = new Response(form);
      const boundary = boundaryOf(response.headers.get('content-type') ?? '') ?? '';
      const body = Buffer.from(await response.arrayBuffer());

      expect(await read(inChunks(body, length), boundary)).toEqual([
        { name: 'cacheControl', fileName: undefined, contentType: undefined, content: Buffer.from('3600') },
        { name: '', fileName: 'blob', contentType: 'image/png', content },
      ]);
    }),
    { numRuns: 300 },
  );
});

const WHOLE = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue\r\n--b--\r\n';

test('a body that ends too early, anywhere, is refused', async () => {
  for (let length = 0; length < WHOLE.length - 2; length += 1) {
    await expect(read(inChunks(Buffer.from(WHOLE.slice(0, length)), 7), 'b'), String(length)).rejects.toThrow(
      MalformedMultipart,
    );
  }
});

test.each([
  ['a delimiter goes on', WHOLE.replace('--b\r\n', '--bc\r\n')],
  ['a part names no field', WHOLE.replace('; name="a"', '')],
  ['headers never end', `--b\r\nX: ${'x'.repeat(10_000)}`],
  ['there are too many parts', `${WHOLE.replace('--b--\r\n', '').repeat(30)}--b--`],
])('%s: refused', async (_case, body) => {
  await expect(read(inChunks(Buffer.from(body), 50), 'b')).rejects.toThrow(MalformedMultipart);
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
  ['Multipart/Form-Data;boundary=abc; x=y', 'abc'],
  ['multipart/form-data', null],
  ['multipart/mixed; boundary=abc', null],
  ['application/json', null],
])('the boundary of %s is %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary);
});

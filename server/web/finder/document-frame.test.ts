import { spawnSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DocumentFrame } from './document-frame.ts';

/** Text that repeats itself and the frame, so that references are made. */
const prose = fc
  .array(fc.oneof(fc.constantFrom('<p class="wide">', 'Owner', '</p>', 'é', '🔑'), fc.string()), { maxLength: 200 })
  .map((words) => words.join(''));
const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000 }), prose);

test('any frame and content unpack unchanged', () => {
  fc.assert(
    fc.property(piece, piece, fc.array(piece, { minLength: 1, maxLength: 3 }), (head, tail, contents) => {
      const frame = new DocumentFrame(head, tail);
      for (const content of contents) {
        const document = head + content + tail;
        expect(frame.contentOf(document)).toBe(content);
        expect(frame.plain(Buffer.from(content)).toString()).toBe(document);
        expect(gunzipSync(frame.gzip(Buffer.from(content))).toString()).toBe(document);
      }
    }),
  );
});

test('a head beyond the window of deflate, with content that repeats its first and last bytes', () => {
  const head = Array.from({ length: 20_000 }, (_, index) => ((index * 7_919) % 65_521).toString(36)).join('');
  expect(head.length).toBeGreaterThan(60_000);
  for (const content of [head.slice(0, 4_000), head.slice(-4_000), head, '']) {
    const frame = new DocumentFrame(head, content);
    expect(gunzipSync(frame.gzip(Buffer.from(content))).toString()).toBe(head + content + content);
  }
});

/** Decoders other than this runtime's `node:zlib`, as far as the machine has them. */
const decoders: Readonly<Record<string, (packed: Buffer) => Promise<Buffer>>> = {
  'the DecompressionStream of the web platform': async (packed) => {
    const stream = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
    return Buffer.from(await new Response(stream).arrayBuffer());
  },
  gzip: async (packed) => {
    const { stdout, stderr, status } = spawnSync('gzip', ['-dc'], { input: packed });
    expect(stderr.toString()).toBe('');
    expect(status).toBe(0);
    return stdout;
  },
};

test.each(Object.entries(decoders))('%s reads it', async (_, decode) => {
  const head = '<!doctype html><style>.wide{width:100%}</style>'.repeat(40);
  const frame = new DocumentFrame(head, '</main></body></html>');
  for (const content of ['', 'Keys', '<p class="wide">Dana’s keys 🔑</p>'.repeat(300)]) {
    const unpacked = await decode(frame.gzip(Buffer.from(content)));
    expect(unpacked.toString()).toBe(`${head}${content}</main></body></html>`);
  }
});

test('content that repeats the head adds few bytes', () => {
  const head = Array.from({ length: 2_000 }, (_, index) => `.rule-${index * 7_919}{}`).join('');
  const frame = new DocumentFrame(head, '');
  const empty = frame.gzip(Buffer.alloc(0)).length;
  expect(frame.gzip(Buffer.from(head.slice(-3_000))).length - empty).toBeLessThan(60);
});

test('a document in another frame is refused', () => {
  const frame = new DocumentFrame('<head>', '</body>');
  expect(() => frame.contentOf('<head>Keys')).toThrow('another frame');
  expect(() => frame.contentOf('Keys</body>')).toThrow('another frame');
});

test('a cached document retains no memory but its own', () => {
  const frame = new DocumentFrame('<head>', '</body>');
  const content = Buffer.from('Keys');
  for (const document of [frame.plain(content), frame.gzip(content)]) {
    expect(document.buffer.byteLength).toBe(document.byteLength);
  }
});

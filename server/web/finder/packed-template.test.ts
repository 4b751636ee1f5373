import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedTemplate } from './packed-template.ts';

/** A last block without anything in it (RFC 1951). */
const END = Buffer.from([0x03, 0x00]);

/** Text that repeats itself and others, so that references are made, also across gaps. */
const prose = fc
  .array(fc.oneof(fc.constantFrom('<p class="wide">', 'Owner', '</p>', '<li>', 'é', '🔑'), fc.string()), {
    maxLength: 60,
  })
  .map((words) => words.join(''));
const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), prose).map((text) => Buffer.from(text));

const between = (texts: readonly Buffer[], values: readonly Buffer[]) =>
  Buffer.concat(texts.flatMap((text, index) => [text, values[index] ?? Buffer.alloc(0)]));

function unpack(before: Buffer, blocks: Buffer | null): Buffer {
  if (blocks === null) throw new Error('Nothing was packed.');
  return inflateRawSync(Buffer.concat([blocks, END]), { dictionary: before.subarray(-32_768) });
}

test('any texts and values unpack unchanged', () => {
  fc.assert(
    fc.property(
      piece,
      fc.array(piece, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(piece, { minLength: 7, maxLength: 7 }), { minLength: 1, maxLength: 4 }),
      (before, texts, fillings) => {
        const template = new PackedTemplate(before, texts);
        for (const filling of fillings) {
          const values = filling.slice(0, texts.length - 1);
          expect(unpack(before, template.fill(values)).equals(between(texts, values))).toBe(true);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('references of every length and at every distance, also across gaps of every length', () => {
  const noise = Array.from({ length: 9_000 }, (_, index) => ((index * 7_919) % 65_521).toString(36)).join('');
  const texts = [3, 4, 10, 11, 12, 18, 19, 34, 35, 66, 67, 130, 131, 227, 257, 258, 259, 1_000].flatMap(
    (length, index) => [
      Buffer.from(`${noise.slice(index * 731, index * 731 + length)}|`),
      Buffer.from(`|${noise.slice(index * 731, index * 731 + length)}`),
    ],
  );
  const before = Buffer.from(noise.slice(0, 16_000));
  const template = new PackedTemplate(before, texts);
  for (const length of [0, 1, 2, 3, 7, 31, 100, 250]) {
    const values = texts.slice(1).map((_, index) => Buffer.alloc(length, String.fromCharCode(97 + (index % 26))));
    expect(unpack(before, template.fill(values)).equals(between(texts, values))).toBe(true);
  }
});

test('text before a gap can be referred to after it', () => {
  const long = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7_919).toString(36)).join(' '));
  const once = new PackedTemplate(Buffer.alloc(0), [long, Buffer.alloc(0)]).fill([Buffer.from('Keys')]);
  const twice = new PackedTemplate(Buffer.alloc(0), [long, long]).fill([Buffer.from('Keys')]);
  expect((twice?.length ?? 0) - (once?.length ?? 0)).toBeLessThan(60);
});

test('references beyond the window of deflate are not packed', () => {
  const before = Buffer.from(`the first${'x'.repeat(30_000)}`);
  const template = new PackedTemplate(before, [Buffer.from('a'), Buffer.from('the first')]);
  const fits = Buffer.alloc(32_768 - before.length - 1);
  expect(
    unpack(before, template.fill([fits])).equals(between([Buffer.from('a'), Buffer.from('the first')], [fits])),
  ).toBe(true);
  expect(template.fill([Buffer.alloc(fits.length + 1)])).toBeNull();
  // Without such a reference, the length does not matter.
  const near = new PackedTemplate(before, [Buffer.from('a'), Buffer.from('b')]);
  expect(near.fill([Buffer.alloc(9_000)])).not.toBeNull();
});

test('a value of any length that is repeated is written once, unless it is too far back', () => {
  const noise = Buffer.from(
    Array.from({ length: 9_000 }, (_, index) => ((index * 7_919) % 65_521).toString(36)).join(''),
  );
  const before = Buffer.from('<main>');
  for (const between of ['|', noise.toString('latin1', 0, 33_000)]) {
    const template = new PackedTemplate(
      before,
      ['<h1>', between, '</h1>'].map((text) => Buffer.from(text)),
    );
    for (const length of [0, 1, 2, 3, 4, 10, 11, 130, 257, 258, 259, 260, 261, 516, 700]) {
      const value = noise.subarray(-length || noise.length);
      const again = template.fill([value, value]);
      const unpacked = unpack(before, again);
      expect(unpacked.equals(Buffer.from(`<h1>${value}${between}${value}</h1>`)), `${length}`).toBe(true);
      const other = template.fill([value, Buffer.from(value)]);
      const saved = (other?.length ?? 0) - (again?.length ?? 0);
      if (length > 10 && between === '|') expect(saved, `${length}`).toBeGreaterThan(0.75 * length);
    }
  }
});

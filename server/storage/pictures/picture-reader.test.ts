import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createPictureReader } from './picture-reader.ts';

const folder = await temporaryFolder();
const SECRET = 'Herzl-Street-7';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
  xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="32,4.0N" exif:UserComment="${SECRET}"/></rdf:RDF></x:xmpmeta>`;

/** A wide picture, red on the left and blue on the right, with all metadata that cameras and editors write. */
function reporting(): Sharp {
  const red = { create: { width: 600, height: 400, channels: 3, background: '#f00' } } as const;
  return sharp({ create: { width: 1200, height: 400, channels: 3, background: '#00f' } })
    .composite([{ input: red, left: 0, top: 0 }])
    .withExif({ IFD0: { Artist: SECRET }, IFD3: { GPSLatitude: '32/1 4/1 0/1', GPSLatitudeRef: 'N' } })
    .withXmp(XMP)
    .withIccProfile('p3');
}

test.each([
  ['JPEG', (picture: Sharp) => picture.jpeg()],
  ['PNG', (picture: Sharp) => picture.png()],
  ['WebP', (picture: Sharp) => picture.webp()],
  ['AVIF', (picture: Sharp) => picture.avif({ effort: 0 })],
])('neither size of a %s says where, when, or with what it was taken [E37]', async (kind, encode) => {
  const path = join(folder, kind);
  const sent = await encode(reporting()).toBuffer();
  const reported = await sharp(sent).metadata();
  for (const notes of [reported.exif, reported.xmp]) expect(notes?.includes(SECRET)).toBe(true);
  expect(reported.icc).toBeDefined();
  await writeFile(path, sent);
  const { large, small } = await createPictureReader().read(path, null);
  expect([large.width, small.width]).toEqual([1200, 320]);
  for (const { bytes } of [large, small]) {
    for (const trace of [SECRET, 'GPS', 'Exif', 'EXIF', 'XMP ', 'xmpmeta', 'ICCP']) {
      expect(bytes.includes(trace), trace).toBe(false);
    }
    const { format, exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata();
    expect({ format, exif, xmp, icc, iptc, orientation }).toEqual({ format: 'webp' });
  }
});

const PLACES = {
  left: { x: 0.1, y: 0.5 },
  right: { x: 0.9, y: 0.5 },
  top: { x: 0.5, y: 0.1 },
  bottom: { x: 0.5, y: 0.9 },
};

// EXIF 2.32, tag 274: where the file's first row and column belong, and so where red must end up.
test.each([
  [1, 'left'],
  [2, 'right'],
  [3, 'right'],
  [4, 'left'],
  [5, 'top'],
  [6, 'top'],
  [7, 'bottom'],
  [8, 'bottom'],
] as const)('both sizes of orientation %i are upright: red at the %s [E37]', async (orientation, side) => {
  const path = join(folder, `held-${orientation}`);
  await writeFile(path, await reporting().withMetadata({ orientation }).jpeg().toBuffer());
  for (const { bytes, width, height } of Object.values(await createPictureReader().read(path, null))) {
    expect(width > height).toBe(side === 'left' || side === 'right');
    const { x, y } = PLACES[side];
    const [red, , blue] = await sharp(bytes)
      .extract({ left: Math.floor(width * x), top: Math.floor(height * y), width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect([Number(red) > 200, Number(blue) < 60]).toEqual([true, true]);
  }
});

test('many large pictures of one account delay the picture of another by one of them [K15]', async () => {
  const path = join(folder, 'large');
  await writeFile(path, await reporting().resize(3000, 2000, { fit: 'fill' }).jpeg().toBuffer());
  const { read } = createPictureReader();
  const done: string[] = [];
  const all = Array.from({ length: 5 }, () => read(path, 'many').then(() => done.push('many')));
  all.push(read(path, 'one').then(() => done.push('one')));
  await Promise.all(all);
  expect(done.indexOf('one')).toBe(1);
});

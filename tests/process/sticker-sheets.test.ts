import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { english } from '#domain/language.ts';
import { LABEL_FORMATS, type LabelFormat, labelFormat } from '#domain/stickers/label-formats.ts';
import type { LineOutline } from '#domain/stickers/line-text.ts';
import { singleSticker } from '#domain/stickers/plain-paper.ts';
import { type Box, cellBox, cellsPerPage, pageSize } from '#domain/stickers/sheet-layout.ts';
import { stickerCode } from '#domain/stickers/sticker-code.ts';
import { type LogoPicture, stickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import { type Proportions, QUIET_MODULES, stickerLayout } from '#domain/stickers/sticker-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { type DrawnPage, decodePart, drawPdf, pdftoppm } from '#tests/support/draw-pdf.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { isLongRun } from '#tests/support/long-runs.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { drawCalibration, drawSheets } from '#tools/operator/stickers/draw-sheets.ts';
import { readLogo } from '#tools/operator/stickers/read-logo.ts';
import { typesetLine } from '#tools/operator/stickers/typeset-line.ts';

const stickerUrl = 'https://lost.example.org';
const folder = await temporaryFolder();
const NO_OFFSET = { x: 0, y: 0 };

interface Sheet {
  readonly firstCell?: number;
  readonly offset?: { readonly x: number; readonly y: number };
  readonly logo?: LogoPicture;
}

async function draw(
  format: LabelFormat,
  codes: readonly string[],
  { firstCell = 0, offset = NO_OFFSET, ...own }: Sheet = {},
) {
  const file = join(folder, `${createTagCode()}.pdf`);
  // The tests read the codes from the page.
  const options = { format, stickerUrl, firstCell, offset, readEach: Infinity, ...own };
  await drawSheets(createWriteStream(file), codes, options);
  return file;
}

/** Returns a file with a picture that is red all over. */
async function redPicture({ width, height }: Proportions): Promise<string> {
  const file = join(folder, `${width}-${height}.png`);
  await sharp({ create: { width, height, channels: 3, background: '#a3130c' } }).toFile(file);
  return file;
}

const codesFor = (count: number) => Array.from({ length: count }, createTagCode);
const formatOf = (id: string) => labelFormat(id) ?? expect.unreachable(id);

const allCells = (format: LabelFormat) => Array.from({ length: cellsPerPage(format) }, (_, index) => index);

/** Pixels that are not white outside these labels. */
function inkOutside(page: DrawnPage, format: LabelFormat, labels: readonly number[]): number {
  const { width, height, pixels, pixelsPerMm: scale } = page;
  const isInside = new Uint8Array(pixels.length);
  // A pixel is where its center is.
  const firstAfter = (millimeters: number) => Math.ceil(millimeters * scale - 0.5);
  for (const cell of labels.map((index) => cellBox(format, index))) {
    const center = cell.x + cell.width / 2;
    const last = Math.min(height, firstAfter(cell.y + cell.height));
    for (let y = Math.max(0, firstAfter(cell.y)); y < last; y += 1) {
      const down = (y + 0.5) / scale - cell.y - cell.height / 2;
      const half =
        format.shape === 'round' ? Math.sqrt(Math.max(0, (cell.width / 2) ** 2 - down ** 2)) : cell.width / 2;
      const left = Math.max(0, firstAfter(center - half));
      isInside.fill(1, y * width + left, y * width + Math.min(width, firstAfter(center + half)));
    }
  }
  let ink = 0;
  for (let index = 0; index < pixels.length; index += 1) {
    if ((pixels[index] ?? 255) <= 250 && isInside[index] === 0) ink += 1;
  }
  return ink;
}

/** The box of the dark pixels within a part of the page, in millimeters. */
function inkWithin(page: DrawnPage, part: Box): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const { pixelsPerMm: scale } = page;
  for (let y = Math.floor(part.y * scale); y < (part.y + part.height) * scale; y += 1) {
    for (let x = Math.floor(part.x * scale); x < (part.x + part.width) * scale; x += 1) {
      if ((page.pixels[y * page.width + x] ?? 255) > 127) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  return { x: left / scale, y: top / scale, width: (right - left) / scale, height: (bottom - top) / scale };
}

const EVERY_EIGHTH = LABEL_FORMATS.filter((_, index) => index % 8 === 0);
const CHANCE = Math.floor(Math.random() * 5);
/**
 * In `npm test` every eighth format, in the longer suite also every fifth, beginning with another one each time. Sharper
 * pages take many times the memory and time, so the longer suite draws only the former ones sharper.
 */
const SHEETS = LABEL_FORMATS.filter(
  (format, index) => EVERY_EIGHTH.includes(format) || (isLongRun && index % 5 === CHANCE),
);

describe.skipIf(pdftoppm === undefined)('a printed sheet', () => {
  test.for(SHEETS.map((format) => [format.id, format] as const))(
    'of %s: the scanner reads every sticker, and nothing is between the labels',
    async ([, format]) => {
      const codes = codesFor(cellsPerPage(format));
      const file = await draw(format, codes);
      const dpi = isLongRun && EVERY_EIGHTH.includes(format) ? 300 : 150;
      const [page, ...others] = await drawPdf(file, dpi);
      if (page === undefined) return expect.unreachable();
      expect(others).toEqual([]);
      const { width, height } = pageSize(format);
      expect(Math.abs(page.width / page.pixelsPerMm - width)).toBeLessThan(0.35);
      expect(Math.abs(page.height / page.pixelsPerMm - height)).toBeLessThan(0.35);
      for (const [cell, code] of codes.entries()) {
        expect(await decodePart(page, cellBox(format, cell)), `${dpi} dpi, label ${cell}`).toBe(
          `${stickerUrl}/${code}`,
        );
      }
      expect(inkOutside(page, format, allCells(format))).toBe(0);
    },
  );

  test.for(SHEETS.map((format) => [format.id, format] as const))(
    'of %s: a sticker is on its own label alone, whatever lies beside it',
    async ([, format]) => {
      const last = cellsPerPage(format) - 1;
      // It has neighbors on all sides, where the sheet has such.
      const inside = Math.floor(format.rows / 2) * format.columns + Math.floor(format.columns / 2);
      // Two stickers from the last label on: the second one is alone on the first label of another page.
      const [onLast, onFirst] = await drawPdf(await draw(format, codesFor(2), { firstCell: last }), 150);
      const [onInside] = await drawPdf(await draw(format, codesFor(1), { firstCell: inside }), 150);
      for (const [label, page] of [
        [last, onLast],
        [0, onFirst],
        [inside, onInside],
      ] as const) {
        if (page === undefined) return expect.unreachable();
        expect(page.pixels.some((pixel) => pixel < 127)).toBe(true);
        expect(inkOutside(page, format, [label]), `label ${label}`).toBe(0);
      }
    },
  );

  test.for(isLongRun ? EVERY_EIGHTH.map(({ id }) => id) : ['avery-5195', 'dymo-30332'])(
    'of %s has each code within a tenth of a millimeter of its place',
    async (id) => {
      const format = formatOf(id);
      const codes = codesFor(cellsPerPage(format));
      const [page] = await drawPdf(await draw(format, codes), 600);
      if (page === undefined) return expect.unreachable();
      for (const [cell, code] of codes.entries()) {
        const texts = { call: english.texts.sticker.call, typedCode: typedCodeOf(code) };
        const { code: square } = stickerLayout(format, cell, texts);
        const { module = 0 } = stickerCode(stickerLink(stickerUrl, code), square.width) ?? {};
        const ink = inkWithin(page, square);
        const side = square.width - 2 * QUIET_MODULES * module;
        expect(Math.abs(ink.x - square.x - QUIET_MODULES * module)).toBeLessThan(0.1);
        expect(Math.abs(ink.y - square.y - QUIET_MODULES * module)).toBeLessThan(0.1);
        expect(Math.abs(ink.width - side)).toBeLessThan(0.1);
        expect(Math.abs(ink.height - side)).toBeLessThan(0.1);
      }
    },
  );

  test('begins at the first label that is left, continues on the next page, and follows the printer’s offset', async () => {
    const format = formatOf('avery-5160');
    const codes = codesFor(40);
    const offset = { x: -7, y: 12 };
    const pages = await drawPdf(await draw(format, codes, { firstCell: 25, offset }), 150);
    expect(pages).toHaveLength(3);
    const moved = (cell: number) => {
      const box = cellBox(format, cell);
      return { ...box, x: box.x + offset.x / 10, y: box.y + offset.y / 10 };
    };
    const read = await Promise.all(
      pages.map(async (page) => Promise.all(Array.from({ length: 30 }, (_, cell) => decodePart(page, moved(cell))))),
    );
    const links = codes.map((code) => `${stickerUrl}/${code}`);
    expect(read.flat()).toEqual([...Array(25).fill(null), ...links, ...Array(25).fill(null)]);
  });

  test('for calibration has the outline of every label', async () => {
    const format = formatOf('zweckform-3651');
    const file = join(folder, 'calibration.pdf');
    await drawCalibration(createWriteStream(file), format);
    const [page] = await drawPdf(file, 300);
    if (page === undefined) return expect.unreachable();
    const last = cellBox(format, cellsPerPage(format) - 1);
    // The gap of this format is nothing, so a strip over the label's right edge has one line.
    const strip = { x: last.x + last.width - 0.5, y: last.y + 5, width: 1, height: 10 };
    const line = inkWithin(page, strip);
    expect(Math.abs(line.x + line.width / 2 - last.x - last.width)).toBeLessThan(0.1);
    expect(line.height).toBeGreaterThan(9.8);
  });
});

describe.skipIf(pdftoppm === undefined)('a line in another script', () => {
  test.for([
    'Ключи Анны Ёлкиной',
    'Κλειδιά του Γιώργου',
    'המפתחות של דנה',
    'مُفَاتِيحُ سَارَةَ فِي ٱلْحَقِيبَةِ',
    'सीमा श्रीवास्तव की चाबियाँ',
    '鈴木さんの自転車の鍵',
    '李明的自行车钥匙，请归还',
    'Sara’s مفاتيح 12',
  ])('%s: it is printed where it belongs, and the code beside it is read', async (line) => {
    // Beside the code, and below it.
    for (const format of [formatOf('avery-5160'), formatOf('avery-5195'), singleSticker('large')]) {
      const own = await typesetLine(line, []);
      const [code = ''] = codesFor(1);
      const file = join(folder, `${code}.pdf`);
      const options = { format, stickerUrl, firstCell: 0, offset: NO_OFFSET, own };
      await drawSheets(createWriteStream(file), [code], options);
      const [page] = await drawPdf(file, 600);
      if (page === undefined) return expect.unreachable();
      expect(await decodePart(page, cellBox(format, 0))).toBe(`${stickerUrl}/${code}`);

      const texts = { own, call: english.texts.sticker.call, typedCode: typedCodeOf(code) };
      const content = { link: stickerLink(stickerUrl, code), texts };
      const drawn = stickerDrawing(format, 0, content)?.texts.filter(({ kind }) => kind === 'own') ?? [];
      expect(drawn.length).toBeGreaterThan(0);
      for (const { path = '', size, x, baseline } of drawn) {
        const points = Array.from(path.matchAll(/(-?\d+) (-?\d+)/g), ([, across, down]) => [across, down].map(Number));
        const outline = {
          left: x + (Math.min(...points.map(([across = 0]) => across)) * size) / 1_000,
          right: x + (Math.max(...points.map(([across = 0]) => across)) * size) / 1_000,
          top: baseline + (Math.min(...points.map(([, down = 0]) => down)) * size) / 1_000,
          bottom: baseline + (Math.max(...points.map(([, down = 0]) => down)) * size) / 1_000,
        };
        const band = { x: outline.left - 0.3, y: outline.top, width: 0, height: outline.bottom - outline.top };
        const ink = inkWithin(page, { ...band, width: outline.right - outline.left + 0.6 });
        // Points that direct a curve may lie a little beyond it.
        expect(Math.abs(ink.x - outline.left)).toBeLessThan(0.15);
        expect(Math.abs(ink.x + ink.width - outline.right)).toBeLessThan(0.15);
        expect(ink.height).toBeGreaterThan((outline.bottom - outline.top) * 0.9);
      }
      expect(inkOutside(page, format, allCells(format))).toBe(0);
    }
  });
});

describe.skipIf(pdftoppm === undefined)('a logo', () => {
  test.for([
    ['avery-5160', { width: 600, height: 200 }],
    ['avery-5195', { width: 300, height: 300 }],
    ['brother-dk-1201', { width: 100, height: 300 }],
  ] as const)('is printed where it belongs on %s, and the code beside it is read', async ([id, size]) => {
    const format = formatOf(id);
    const logo = await readLogo(await redPicture(size));
    const codes = codesFor(cellsPerPage(format));
    const file = await draw(format, codes, { logo });
    const [page] = await drawPdf(file, 600);
    if (page === undefined) return expect.unreachable();
    const cell = codes.length - 1;
    const code = codes[cell] ?? '';
    expect(await decodePart(page, cellBox(format, cell))).toBe(`${stickerUrl}/${code}`);
    const texts = { call: english.texts.sticker.call, typedCode: typedCodeOf(code) };
    const place = stickerDrawing(format, cell, { link: stickerLink(stickerUrl, code), texts, logo })?.logo;
    if (!place) return expect.unreachable(`${id} has no room`);
    const around = { x: place.x - 0.4, y: place.y - 0.4, width: place.width + 0.8, height: place.height + 0.8 };
    const ink = inkWithin(page, around);
    expect(Math.abs(ink.x - place.x)).toBeLessThan(0.1);
    expect(Math.abs(ink.y - place.y)).toBeLessThan(0.1);
    expect(Math.abs(ink.width - place.width)).toBeLessThan(0.15);
    expect(Math.abs(ink.height - place.height)).toBeLessThan(0.15);
    expect(inkOutside(page, format, allCells(format))).toBe(0);
  });
});

test('every file asks print dialogs for the size of the page [K71]', async () => {
  const calibration = join(folder, 'calibration-at-full-size.pdf');
  await drawCalibration(createWriteStream(calibration), formatOf('avery-5160'));
  for (const file of [await draw(formatOf('avery-5160'), codesFor(1)), calibration]) {
    const pdf = await readFile(file, 'latin1');
    expect(pdf).toMatch(/\/Type \/Catalog\b.*\/ViewerPreferences <<\s*\/PrintScaling \/None\s*>>/s);
  }
});

test('a file holds its logo once, on however many stickers', async () => {
  const logo = await readLogo(await redPicture({ width: 300, height: 300 }));
  const file = await draw(formatOf('avery-5160'), codesFor(70), { logo });
  const text = (await readFile(file)).toString('latin1');
  expect(text.match(/\/Subtype \/Image/g)).toHaveLength(1);
});

test('a logo without room on the label is refused', async () => {
  const logo = await readLogo(await redPicture({ width: 300, height: 300 }));
  await expect(draw(formatOf('dymo-30332'), codesFor(1), { logo })).rejects.toThrow(
    'The labels of dymo-30332 have no room for the logo.',
  );
});

test('a line without room on the label is refused', async () => {
  const out = createWriteStream(join(folder, 'no-room.pdf'));
  const own = await typesetLine('Ж'.repeat(40), []);
  const options = { format: formatOf('zweckform-6021'), stickerUrl, firstCell: 0, offset: NO_OFFSET, own };
  await expect(drawSheets(out, codesFor(1), options)).rejects.toThrow(
    'The labels of zweckform-6021 have no room for the line.',
  );
  out.destroy();
});

test('labels that are too small for a long link are refused by name', async () => {
  const out = createWriteStream(join(folder, 'refused.pdf'));
  const options = { format: formatOf('zweckform-6021'), firstCell: 0, offset: NO_OFFSET };
  const long = `https://${'a'.repeat(60)}.example.org`;
  await expect(drawSheets(out, codesFor(1), { ...options, stickerUrl: long })).rejects.toThrow(
    'The labels of zweckform-6021 are too small for links to',
  );
  out.destroy();
});

test('a code that cannot be read again is refused', async () => {
  const out = createWriteStream(join(folder, 'covered.pdf'));
  const own = await typesetLine('Ж', []);
  if (typeof own === 'string') return expect.unreachable();
  // Ten times as large as its type in each direction, it covers the code beside it.
  const covering = (line: LineOutline) => ({ ...line, path: 'M-10000 -10000h20000v20000h-20000z' });
  const cover = { ...own, whole: covering(own.whole), halves: own.halves.map(covering) };
  const options = { format: formatOf('avery-5160'), stickerUrl, firstCell: 0, offset: NO_OFFSET };
  await expect(drawSheets(out, codesFor(1), { ...options, own: cover })).rejects.toThrow(
    'The code of sticker 1 cannot be read.',
  );
  await expect(drawSheets(new PassThrough().resume(), codesFor(1), { ...options, own })).resolves.toBeUndefined();
  out.destroy();
});

test('pages do not pile up in memory, though every code is at hand', async () => {
  const format = formatOf('avery-5160');
  const perPage = cellsPerPage(format);
  let written = 0;
  // A page has one stream, and a disk takes a turn of the event loop. It keeps no page of its own, however small.
  const disk = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      written += chunk.toString('latin1').split('\nendstream').length - 1;
      setImmediate(done);
    },
  });
  const behind: number[] = [];
  function* codes() {
    for (const [drawn, code] of codesFor(10 * perPage).entries()) {
      if (drawn % perPage === 0) behind.push(drawn / perPage - written);
      yield code;
    }
  }
  // Nearly no sticker is read again, because that takes turns of the event loop too.
  await drawSheets(disk, codes(), { format, stickerUrl, firstCell: 0, offset: NO_OFFSET, readEach: Infinity });
  // The page before, and the one before it, which is passed on next.
  expect(Math.max(...behind)).toBeLessThanOrEqual(2);
  expect(written).toBe(10);
});

test('a disk that fails ends the drawing', async () => {
  const full = new Error('The disk is full.');
  const disk = new Writable({ write: (_chunk, _encoding, done) => done(full) });
  let taken = 0;
  function* codes() {
    for (const code of codesFor(300)) {
      taken += 1;
      yield code;
    }
  }
  const drawing = drawSheets(disk, codes(), {
    format: formatOf('avery-5160'),
    stickerUrl,
    firstCell: 0,
    offset: NO_OFFSET,
    readEach: Infinity,
  });
  await expect(drawing).rejects.toThrow(full);
  expect(taken).toBeLessThan(300);
});

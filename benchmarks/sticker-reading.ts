import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import { english } from '#domain/language.ts';
import { drawOnPdf, points } from '#domain/stickers/draw-on-pdf.ts';
import { type LabelFormat, labelFormat } from '#domain/stickers/label-formats.ts';
import { cellBox } from '#domain/stickers/sheet-layout.ts';
import { type StickerDrawing, stickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import { QUIET_MODULES, stickerLayout } from '#domain/stickers/sticker-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { generateTagCode, stickerLink } from '#domain/tag-code/tag-code.ts';
import { type DrawnPage, decodePart, drawPdf } from '#tests/support/draw-pdf.ts';
import { seededRandom } from '#tests/support/seeded-random.ts';
import { type Disturbance, photographLabel } from './support/camera/photograph-label.ts';
import { judge } from './support/figures/judge.ts';

/**
 * How often the scanner's decoder reads a sticker of ours, and the same link as a plain QR code of the same printed size:
 * the library's default, with the least error correction and thus the largest modules, and nothing beside it. Both are
 * printed by Poppler and seen in the same frames, by a camera that is computed. `docs/benchmarks.md` says how to read it.
 *
 *   PDFTOPPM=/usr/bin/pdftoppm node benchmarks/sticker-reading.ts
 */
const FRAMES = Number(process.env.BENCHMARK_FRAMES ?? 60);
const FORMATS = (process.env.BENCHMARK_FORMATS ?? 'avery-5160,avery-5195').split(',');
const URL = 'https://lost.example.org';
const LINKS = 6;
const PRINTER_DPI = 600;
const SEED = 20_261_123;

/** What is disturbed: `share` grows from 0 to 1 over the frames. `code` is the square of the QR code in its label. */
type Condition = (share: number, random: () => number, code: Square) => Disturbance;

interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  rotated: (share, random) => ({ turn: 2 * Math.PI * random(), tilt: share * 1.3 }),
  blurred: (share) => ({ blur: 0.1 + share * 0.6 }),
  dimmed: (share) => ({ contrast: 0.3 * (1 - share) + 0.02 }),
  curved: (share, _random, { side }) => ({ radius: side * (2 - 1.5 * share) }),
  covered: (share, random, { x, y, side }) => ({
    cover: { x: x + side * random(), y: y + side * random(), radius: share * 0.3 * side },
  }),
  'at low resolution': (share) => ({ resolution: 4 - 3.2 * share, blur: 0.05 }),
};

interface Printed {
  readonly links: readonly string[];
  readonly stickers: readonly DrawnPage[];
  readonly plain: readonly DrawnPage[];
  readonly code: Square;
}

const random = seededRandom(SEED);
const folder = await mkdtemp(join(tmpdir(), 'reunite-reading-'));
try {
  const printed = await Promise.all(FORMATS.map(print));
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const read = { stickers: 0, plain: 0 };
    for (let frame = 0; frame < FRAMES; frame += 1) {
      for (const { links, stickers, plain, code } of printed) {
        const at = frame % LINKS;
        const disturbance = condition(frame / (FRAMES - 1), random, code);
        const noise = Math.floor(random() * 2 ** 32);
        const isRead = async (label: DrawnPage | undefined) => {
          if (label === undefined) throw new Error('A label was not printed.');
          const photo = photographLabel(label, disturbance, seededRandom(noise));
          const whole = {
            x: 0,
            y: 0,
            width: photo.width / photo.pixelsPerMm,
            height: photo.height / photo.pixelsPerMm,
          };
          return (await decodePart(photo, whole)) === links[at];
        };
        if (await isRead(stickers[at])) read.stickers += 1;
        if (await isRead(plain[at])) read.plain += 1;
      }
    }
    const frames = FRAMES * FORMATS.length;
    judge(`${name}: ${read.stickers} of ${frames} read, plain codes ${read.plain}`, read.stickers >= read.plain);
  }
} finally {
  await rm(folder, { recursive: true });
}

async function print(id: string): Promise<Printed> {
  const format = labelFormat(id);
  if (format === null) throw new Error(`There is no format ${id}.`);
  const codes = Array.from({ length: LINKS }, () => generateTagCode(fillRandomly));
  const links = codes.map((code) => stickerLink(URL, code));
  const contents = codes.map((code, at) => ({
    link: links[at] ?? '',
    texts: { call: english.texts.sticker.call, typedCode: typedCodeOf(code) },
  }));
  const drawings = contents.map((content) => stickerDrawing(format, 0, content));
  const plain = contents.map(({ link, texts }) => plainCode(link, stickerLayout(format, 0, texts).code));
  const { code } = stickerLayout(format, 0, contents[0]?.texts ?? {});
  const cell = cellBox(format, 0);
  return {
    links,
    stickers: await printLabels(format, drawings),
    plain: await printLabels(format, plain),
    code: { x: code.x - cell.x, y: code.y - cell.y, side: code.width },
  };
}

function fillRandomly<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  bytes.forEach((_, index) => {
    bytes[index] = Math.floor(random() * 256);
  });
  return bytes;
}

/** The link in the same square, quiet zone included. */
function plainCode(
  link: string,
  square: { readonly x: number; readonly y: number; readonly width: number },
): StickerDrawing {
  const { data } = encode(link, { ecc: 'L', border: 0 });
  const module = square.width / (data.length + 2 * QUIET_MODULES);
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) =>
      isDark
        ? [
            {
              x: square.x + (x + QUIET_MODULES) * module,
              y: square.y + (y + QUIET_MODULES) * module,
              width: module,
              height: module,
            },
          ]
        : [],
    ),
  );
  return { dark, logo: null, texts: [] };
}

/** Prints each drawing of the first label on a page of the label's size. */
async function printLabels(format: LabelFormat, drawings: readonly (StickerDrawing | null)[]): Promise<DrawnPage[]> {
  const { x, y, width, height } = cellBox(format, 0);
  const file = join(folder, `${crypto.randomUUID()}.pdf`);
  const document = new PDFDocument({ autoFirstPage: false, size: [points(width), points(height)], margin: 0 });
  const out = createWriteStream(file);
  document.pipe(out);
  for (const drawing of drawings) {
    if (drawing === null) throw new Error(`The labels of ${format.id} are too small.`);
    document.addPage();
    document.translate(points(-x), points(-y));
    drawOnPdf(document, drawing, { color: '#000000', logo: null });
  }
  document.end();
  await finished(out);
  return drawPdf(file, PRINTER_DPI);
}

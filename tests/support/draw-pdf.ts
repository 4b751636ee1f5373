import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { temporaryFolder } from './temporary-folder.ts';

/** Poppler's `pdftoppm`; undefined where it is not installed. `npm test` looks for it. */
export const pdftoppm = process.env.PDFTOPPM;

if (pdftoppm === undefined) {
  process.stderr.write('\n!!! The tests of printed stickers do NOT run: PDFTOPPM names no pdftoppm (poppler-utils).\n');
}

/** A page as a printer draws it: one byte for each pixel, from black to white. */
export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly pixelsPerMm: number;
}

/** Draws the pages of a PDF with Poppler. */
export async function drawPdf(file: string, dpi: number): Promise<DrawnPage[]> {
  const folder = await temporaryFolder();
  await promisify(execFile)(pdftoppm ?? '', ['-gray', '-r', String(dpi), file, join(folder, 'page')]);
  const pages = (await readdir(folder)).sort();
  return Promise.all(pages.map(async (page) => readPage(await readFile(join(folder, page)), dpi)));
}

/** Reads a portable gray map (`P5`, width, height, 255). */
function readPage(file: Buffer, dpi: number): DrawnPage {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.subarray(0, 64).toString('latin1'));
  if (head === null) throw new Error('This is not a gray map.');
  const pixels = new Uint8Array(file.subarray(head[0].length));
  return { width: Number(head[1]), height: Number(head[2]), pixels, pixelsPerMm: dpi / 25.4 };
}

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
const decoder = { wasmBinary: new Uint8Array(await readFile(wasm)).buffer };
prepareZXingModule({ overrides: decoder });

/** Returns the text of the QR code in a part of the page, in millimeters, or null. With the decoder of the scanner. */
export async function decodePart(
  { width, pixels, pixelsPerMm }: DrawnPage,
  part: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Promise<string | null> {
  const left = Math.round(part.x * pixelsPerMm);
  const top = Math.round(part.y * pixelsPerMm);
  const across = Math.floor(part.width * pixelsPerMm);
  const down = Math.floor(part.height * pixelsPerMm);
  const data = new Uint8ClampedArray(across * down * 4).fill(255);
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      data.fill(pixels[(top + y) * width + left + x] ?? 255, (y * across + x) * 4, (y * across + x) * 4 + 3);
    }
  }
  const image = { data, width: across, height: down, colorSpace: 'srgb' } as ImageData;
  const [found] = await readBarcodes(image, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return found?.text ?? null;
}

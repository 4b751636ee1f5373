import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Sharp } from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** Poppler's `pdftoppm`; undefined where it is not installed. `npm test` looks for it. */
export const pdftoppm = process.env.PDFTOPPM;

if (pdftoppm === undefined) {
  process.stderr.write('\n!!! The tests of printed stickers do NOT run: PDFTOPPM names no pdftoppm (poppler-utils).\n');
}

/** Of all pages of a PDF as pixels. */
const MOST_BYTES = 1_000_000_000;

/** A page as a printer draws it: one byte for each pixel, from black to white. */
export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly pixelsPerMm: number;
}

/** Draws the pages of a PDF with Poppler. */
export async function drawPdf(file: string, dpi: number): Promise<DrawnPage[]> {
  const { stdout } = await promisify(execFile)(pdftoppm ?? '', ['-gray', '-r', String(dpi), file], {
    encoding: 'buffer',
    maxBuffer: MOST_BYTES,
  });
  const pages: DrawnPage[] = [];
  for (let start = 0; start < stdout.length; ) {
    // A portable gray map: `P5`, width, height, 255.
    const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.subarray(start, start + 64).toString('latin1'));
    if (head === null) throw new Error('This is not a gray map.');
    const [width, height] = [Number(head[1]), Number(head[2])];
    const end = start + head[0].length + width * height;
    const pixels = stdout.subarray(start + head[0].length, end);
    pages.push({ width, height, pixels, pixelsPerMm: dpi / 25.4 });
    start = end;
  }
  return pages;
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
  return decode(data, across, down);
}

/** Returns the text of the QR code in a picture, or null. With the decoder of the scanner. */
export async function decodePicture(picture: Sharp): Promise<string | null> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decode(new Uint8ClampedArray(data), info.width, info.height);
}

async function decode(data: Uint8ClampedArray, width: number, height: number): Promise<string | null> {
  const image = { data, width, height, colorSpace: 'srgb' } as ImageData;
  const [found] = await readBarcodes(image, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return found?.text ?? null;
}

import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';
import type { Sharp } from 'sharp';
import type { Box } from '#domain/stickers/sheet-layout.ts';
import { type DrawnPage, decodePart, drawPdf } from '#tests/support/draw-pdf.ts';

/** In millimeters. */
export const A4 = { width: 210, height: 297 };

/** Presses a button that saves a file. Resolves with the file's path. */
export async function saved(page: Page, button: string): Promise<string> {
  const arrives = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const download: Download = await arrives;
  return download.path();
}

/** The sizes of a PDF's pages in millimeters. */
export async function pageSizes(file: string): Promise<{ width: number; height: number }[]> {
  const text = (await readFile(file)).toString('latin1');
  return Array.from(text.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g), ([, width, height]) => ({
    width: (Number(width) / 72) * 25.4,
    height: (Number(height) / 72) * 25.4,
  }));
}

/** What a scanner reads in each of these labels of a PDF's first page. */
export async function readLabels(file: string, labels: readonly Box[]): Promise<(string | null)[]> {
  const [page] = await drawPdf(file, 200);
  if (page === undefined) throw new Error('The PDF has no page.');
  return Promise.all(labels.map((label) => decodePart(page, label)));
}

/** How dark a part of the page is: from 0, white, to 1. */
export function darkness(page: DrawnPage | undefined, { x, y, width, height }: Box): number {
  if (page === undefined) throw new Error('The PDF has no page.');
  const scale = page.pixelsPerMm;
  let [sum, count] = [0, 0];
  for (let row = Math.floor(y * scale); row < (y + height) * scale; row += 1) {
    for (let column = Math.floor(x * scale); column < (x + width) * scale; column += 1) {
      sum += 1 - (page.pixels[row * page.width + column] ?? 255) / 255;
      count += 1;
    }
  }
  return sum / count;
}

/** Where the first ink from the left is within a part of the page, in millimeters. */
export function leftmostInk(page: DrawnPage | undefined, { x, y, width, height }: Box): number {
  if (page === undefined) throw new Error('The PDF has no page.');
  const column = 1 / page.pixelsPerMm;
  for (let at = x; at < x + width; at += column) {
    if (darkness(page, { x: at, y, width: column, height }) > 0.05) return at;
  }
  throw new Error('There is no ink.');
}

/** A picture of a sticker that is 50 mm wide, as a page. */
export async function drawnPicture(picture: Sharp): Promise<DrawnPage> {
  const flat = picture.resize(591).flatten({ background: '#ffffff' }).grayscale();
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  return { ...info, pixels: new Uint8Array(data), pixelsPerMm: info.width / 50 };
}

/** Where a part of the picture is on a sticker that is 50 mm wide, in millimeters. */
export function placeOnSticker(part: Locator): Promise<Box> {
  return part.evaluate((element) => {
    const sticker = element.closest('svg')?.getBoundingClientRect() ?? new DOMRect();
    const { x, y, width, height } = element.getBoundingClientRect();
    const scale = 50 / sticker.width;
    return { x: (x - sticker.x) * scale, y: (y - sticker.y) * scale, width: width * scale, height: height * scale };
  });
}

/** The box without its edges, where pixels are mixed. */
export function inner({ x, y, width, height }: Box): Box {
  return { x: x + 0.3, y: y + 0.3, width: width - 0.6, height: height - 0.6 };
}

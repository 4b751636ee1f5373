import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { Box } from '#domain/stickers/sheet-layout.ts';
import type { LogoPicture, StickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import { stickerSvg } from './sticker-svg.ts';

/** As coarse as a cheap printer, so that a code that passes is read from paper. */
const DOTS_PER_INCH = 200;

let decoder: Promise<unknown> | undefined;

/** Draws a sticker as pixels and returns the text of its QR code, or null. With the decoder of the scanner. */
export async function readAgain(sticker: StickerDrawing, box: Box, logo: LogoPicture | null): Promise<string | null> {
  decoder ??= openDecoder();
  await decoder;
  const svg = Buffer.from(stickerSvg(sticker, box, logo));
  const picture = sharp(svg, { density: DOTS_PER_INCH }).flatten({ background: '#ffffff' }).ensureAlpha().raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  const image = { data: new Uint8ClampedArray(data), width: info.width, height: info.height, colorSpace: 'srgb' };
  // The library takes what a canvas has, and reads no more of it than this.
  const [found] = await readBarcodes(image as ImageData, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return found?.text ?? null;
}

/** From the package: by default the library would fetch it from a CDN. */
async function openDecoder(): Promise<void> {
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = new Uint8Array(await readFile(file)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

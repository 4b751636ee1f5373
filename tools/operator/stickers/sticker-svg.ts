import { escapeHtml } from '#domain/escape-html.ts';
import type { Box } from '#domain/stickers/sheet-layout.ts';
import { type LogoPicture, type StickerDrawing, shapeOf } from '#domain/stickers/sticker-drawing.ts';

/** Returns the part of a page in the box as an SVG with this sticker, in black. */
export function stickerSvg({ dark, logo: place, texts }: StickerDrawing, box: Box, logo: LogoPicture | null): string {
  const picture =
    place === null || logo === null
      ? ''
      : `<image href="${logo.source}" x="${place.x}" y="${place.y}" width="${place.width}" height="${place.height}"/>`;
  const lines = texts.map(({ text, path, size, x, baseline, width }) =>
    path === undefined
      ? `<text x="${x}" y="${baseline}" font-size="${size}" textLength="${width}">${escapeHtml(text)}</text>`
      : `<path transform="translate(${x} ${baseline}) scale(${size / 1_000})" d="${path}"/>`,
  );
  const view = `viewBox="${box.x} ${box.y} ${box.width} ${box.height}"`;
  const size = `width="${box.width}mm" height="${box.height}mm"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${view} ${size}>${picture}<path d="${shapeOf(dark)}"/>${lines.join('')}</svg>`;
}

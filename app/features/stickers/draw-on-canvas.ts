import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import { cellBox } from '#domain/stickers/sheet-layout.ts';
import type { StickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import { FONTS } from './sheet-picture.tsx';
import type { DrawnLook } from './sticker-look.ts';

interface CanvasLook {
  readonly format: LabelFormat;
  readonly look: DrawnLook;
  readonly pixelsPerMm: number;
}

/** Draws a sticker, made for the first label, on white. Returns the canvas. Throws where the browser gives none. */
export function drawOnCanvas(
  { dark, logo: place, texts }: StickerDrawing,
  { format, look: { color, logo }, pixelsPerMm }: CanvasLook,
): HTMLCanvasElement {
  const { x: left, y: top, width, height } = cellBox(format, 0);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * pixelsPerMm);
  canvas.height = Math.round(height * pixelsPerMm);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser draws no pictures.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(pixelsPerMm, pixelsPerMm);
  context.translate(-left, -top);
  if (place !== null && logo !== null) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(logo.picture, place.x, place.y, place.width, place.height);
  }
  context.fillStyle = color;
  context.beginPath();
  for (const { x, y, width: across, height: down } of dark) context.rect(x, y, across, down);
  context.fill();
  for (const { text, path, kind, size, x, baseline, width: wanted } of texts) {
    context.save();
    context.translate(x, baseline);
    if (path !== undefined) {
      context.scale(size / 1_000, size / 1_000);
      context.fill(new Path2D(path));
      context.restore();
      continue;
    }
    // Set in a large type and scaled, because browsers round small ones.
    context.font = `700 ${LARGE_TYPE}px ${kind === 'typed-code' ? FONTS.code : FONTS.words}`;
    const scaleY = size / LARGE_TYPE;
    const scaleX = wanted / context.measureText(text).width;
    context.scale(scaleX, scaleY);
    context.fillText(text, 0, 0);
    context.restore();
  }
  return canvas;
}

const LARGE_TYPE = 100;

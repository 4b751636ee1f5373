import { INK, pathOf, QUIET } from './sticker.tsx';

/** Draws the QR code as pixels, as the sticker has it. Throws where the browser gives no canvas. */
export function drawCode(rows: readonly string[], pixels: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = pixels;
  canvas.height = pixels;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser draws no pictures.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, pixels, pixels);
  const module = pixels / (rows.length + 2 * QUIET);
  context.scale(module, module);
  context.translate(QUIET, QUIET);
  context.fillStyle = INK;
  context.fill(new Path2D(pathOf(rows)));
  return canvas;
}

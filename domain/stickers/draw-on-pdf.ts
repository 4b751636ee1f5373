import type { StickerDrawing } from './sticker-drawing.ts';

/** The part of pdfkit's document that draws. The library itself differs between the browser and Node. */
export type PdfCanvas = Pick<PDFKit.PDFDocument, 'rect' | 'fill' | 'fillColor' | 'font' | 'fontSize' | 'text'>;

const POINTS_PER_MM = 72 / 25.4;

/** Converts millimeters to the unit of a PDF. */
export const points = (millimeters: number) => millimeters * POINTS_PER_MM;

/** Draws a sticker on the current page, in one color. */
export function drawOnPdf(canvas: PdfCanvas, { dark, texts }: StickerDrawing, color: string): void {
  for (const { x, y, width, height } of dark) canvas.rect(points(x), points(y), points(width), points(height));
  canvas.fill(color).fillColor(color);
  for (const { text, kind, size, x, baseline } of texts) {
    canvas.font(kind === 'typed-code' ? 'Courier-Bold' : 'Helvetica-Bold').fontSize(points(size));
    canvas.text(text, points(x), points(baseline), { lineBreak: false, baseline: 'alphabetic' });
  }
}

import { type CalibrationDrawing, NUMERAL_BASELINE, NUMERAL_SIZE } from './calibration-drawing.ts';
import type { LabelFormat } from './label-formats.ts';
import { textWidth } from './printable-text.ts';
import { type Box, CUT_LINE } from './sheet-layout.ts';
import type { LogoPicture, StickerDrawing } from './sticker-drawing.ts';

/** The part of pdfkit's document that draws. The library itself differs between the browser and Node. */
export type PdfCanvas = Pick<
  PDFKit.PDFDocument,
  | (
      | 'circle'
      | 'dash'
      | 'fill'
      | 'fillColor'
      | 'font'
      | 'fontSize'
      | 'image'
      | 'lineTo'
      | 'lineWidth'
      | 'moveTo'
      | 'path'
    )
  | ('rect' | 'restore' | 'save' | 'scale' | 'stroke' | 'strokeColor' | 'text' | 'translate')
>;

const POINTS_PER_MM = 72 / 25.4;

/** The width of an outline, in millimeters. */
const OUTLINE = 0.1;

/** Converts millimeters to the unit of a PDF. */
export const points = (millimeters: number) => millimeters * POINTS_PER_MM;

/** The catalog of pdfkit's document, which its types leave out. */
interface WithCatalog {
  readonly _root: { readonly data: Record<string, unknown> };
}

/**
 * Has print dialogs begin with the size of the page, rather than shrink it to what the printer reaches (ISO 32000-2,
 * 12.2): labels have their place on the sheet.
 */
export function printAtFullSize(document: PDFKit.PDFDocument): void {
  // Each document of pdfkit has its catalog there (pdfkit 0.20, lib/document.js).
  const { _root: catalog } = document as PDFKit.PDFDocument & WithCatalog;
  catalog.data.ViewerPreferences = new FullSize();
}

/** Viewer preferences: pdfkit writes the fields, a text as a name of PDF. */
class FullSize {
  readonly PrintScaling = 'None';
  /** Called when the document ends, where an object of its own would be written. */
  end(): void {}
}

/** How stickers look that are drawn alike. */
export interface PdfLook {
  /** Of the code and the texts. */
  readonly color: string;
  readonly logo: LogoPicture | null;
}

/** Draws a sticker on the current page. */
export function drawOnPdf(
  canvas: PdfCanvas,
  { dark, logo: place, texts }: StickerDrawing,
  { color, logo }: PdfLook,
): void {
  if (place !== null && logo !== null) {
    // The document holds a picture once, by its address, however often it is drawn.
    canvas.image(logo.source, points(place.x), points(place.y), {
      width: points(place.width),
      height: points(place.height),
    });
  }
  for (const { x, y, width, height } of dark) canvas.rect(points(x), points(y), points(width), points(height));
  canvas.fill(color).fillColor(color);
  for (const { text, path, kind, size, x, baseline } of texts) {
    if (path !== undefined) {
      canvas.save().translate(points(x), points(baseline));
      canvas
        .scale(points(size) / 1_000)
        .path(path)
        .fill(color)
        .restore();
      continue;
    }
    canvas.font(kind === 'typed-code' ? 'Courier-Bold' : 'Helvetica-Bold').fontSize(points(size));
    canvas.text(text, points(x), points(baseline), { lineBreak: false, baseline: 'alphabetic' });
  }
}

/** Draws the lines along which stickers are cut out. */
export function drawCutLinesOnPdf(canvas: PdfCanvas, boxes: readonly Box[], format: LabelFormat): void {
  const { color, width, dash } = CUT_LINE;
  canvas.save();
  canvas.strokeColor(color).lineWidth(points(width)).dash(points(dash), {});
  outlineOnPdf(canvas, boxes, format);
  canvas.stroke().restore();
}

function outlineOnPdf(canvas: PdfCanvas, boxes: readonly Box[], { shape }: LabelFormat): void {
  for (const { x, y, width, height } of boxes) {
    if (shape === 'round') canvas.circle(points(x + width / 2), points(y + height / 2), points(width / 2));
    else canvas.rect(points(x), points(y), points(width), points(height));
  }
}

/** Draws the page that shows how far a printer is off. */
export function drawCalibrationOnPdf(
  canvas: PdfCanvas,
  { outlines, ticks, numerals }: CalibrationDrawing,
  format: LabelFormat,
): void {
  canvas.lineWidth(points(OUTLINE));
  outlineOnPdf(canvas, outlines, format);
  for (const { from, to } of ticks)
    canvas.moveTo(points(from[0]), points(from[1])).lineTo(points(to[0]), points(to[1]));
  canvas.stroke();
  canvas.font('Helvetica-Bold').fontSize(points(NUMERAL_SIZE));
  for (const { text, x, y } of numerals) {
    const left = x - (textWidth(text) * NUMERAL_SIZE) / 2;
    canvas.text(text, points(left), points(y + NUMERAL_SIZE * NUMERAL_BASELINE), {
      lineBreak: false,
      baseline: 'alphabetic',
    });
  }
}

import type PDFDocument from 'pdfkit';
import type { StandardFont } from 'pdfkit/standard-fonts/HelveticaBold';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import type { PrinterOffset } from '#domain/stickers/calibration-drawing.ts';
import { drawCutLinesOnPdf, drawOnPdf, points, printAtFullSize } from '#domain/stickers/draw-on-pdf.ts';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import { cellBox, type Placement, pageSize } from '#domain/stickers/sheet-layout.ts';
import { type StickerContent, stickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import type { DrawnLook } from './sticker-look.ts';

/** The package's build for browsers, whose types are only those of Node's. See "Browser Usage" in its README. */
interface BrowserPdfkit {
  readonly default: typeof PDFDocument;
  registerStdFonts(...fonts: readonly StandardFont[]): void;
}

/** Fetched with the first PDF: as large as all other code of this screen several times over. */
const loadPdfkit = loadOnce(async () => {
  const [pdfkit, courier, helvetica] = await Promise.all([
    loadPart(() => import('pdfkit')) as Promise<unknown> as Promise<BrowserPdfkit>,
    loadPart(() => import('pdfkit/standard-fonts/CourierBold')),
    loadPart(() => import('pdfkit/standard-fonts/HelveticaBold')),
  ]);
  pdfkit.registerStdFonts(courier.default, helvetica.default);
  return pdfkit.default;
});

export interface Sheets {
  readonly format: LabelFormat;
  /** What is in which label, by page; `sticker` is a place in `contents`. */
  readonly pages: readonly (readonly Placement[])[];
  readonly contents: readonly StickerContent[];
  readonly look: DrawnLook;
  readonly isCut: boolean;
  readonly offset: PrinterOffset;
  readonly title: string;
}

/** Returns a PDF of the sheets, as vectors and text. Rejects where the library cannot be fetched. */
export async function makePdf(sheets: Sheets): Promise<Blob> {
  const { format, pages, contents, look, isCut, offset, title } = sheets;
  const PdfDocument = await loadPdfkit();
  const { width, height } = pageSize(format);
  const document = new PdfDocument({
    autoFirstPage: false,
    size: [points(width), points(height)],
    margin: 0,
    // It opens one at once, by default one that is not registered.
    font: 'Helvetica-Bold',
    info: { Title: title },
  });
  printAtFullSize(document);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const ended = new Promise<void>((resolve) => {
    document.on('data', (chunk: Uint8Array<ArrayBuffer>) => chunks.push(chunk));
    document.on('end', resolve);
  });
  for (const placements of pages) {
    document.addPage();
    document.translate(points(offset.x / 10), points(offset.y / 10));
    const boxes = placements.map(({ cell }) => cellBox(format, cell));
    if (isCut) drawCutLinesOnPdf(document, boxes, format);
    for (const { sticker, cell } of placements) {
      const content = contents[sticker];
      const drawing = content && stickerDrawing(format, cell, content);
      if (drawing) drawOnPdf(document, drawing, look);
    }
  }
  document.end();
  await ended;
  return new Blob(chunks, { type: 'application/pdf' });
}

import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { english } from '#domain/language.ts';
import { calibrationDrawing, type PrinterOffset } from '#domain/stickers/calibration-drawing.ts';
import { drawCalibrationOnPdf, drawOnPdf, points, printAtFullSize } from '#domain/stickers/draw-on-pdf.ts';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import type { LineText } from '#domain/stickers/line-text.ts';
import { cellBox, cellsPerPage, pageSize } from '#domain/stickers/sheet-layout.ts';
import { type LogoPicture, stickerDrawing } from '#domain/stickers/sticker-drawing.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerLink } from '#domain/tag-code/tag-code.ts';
import { OperatorError } from '#server/operator-error.ts';
import { readAgain } from './read-again.ts';

type Document = InstanceType<typeof PDFDocument>;

const INK = '#000000';
const NO_OFFSET: PrinterOffset = { x: 0, y: 0 };

export interface SheetOptions {
  readonly format: LabelFormat;
  /** The address that stickers lead to. */
  readonly stickerUrl: string;
  /** The first label to print on, from 0: the labels before it are gone from a used sheet. */
  readonly firstCell: number;
  readonly offset: PrinterOffset;
  /** A line of the operator's own on each sticker. */
  readonly own?: LineText;
  /** A picture of the operator's own on each sticker. */
  readonly logo?: LogoPicture;
  /** Of how many stickers one is drawn as pixels and read again, beginning with the first. Without it, each is. */
  readonly readEach?: number;
}

/**
 * Writes a PDF with one sticker for each tag code, as vectors. Each page is written when it is full, before the next one
 * is drawn. Throws an OperatorError where the labels are too small for the link, have no room for the line or the logo, or
 * where a code cannot be read again.
 */
export async function drawSheets(
  out: Writable,
  codes: AsyncIterable<string> | Iterable<string>,
  { format, stickerUrl, firstCell, offset, own, logo, readEach = 1 }: SheetOptions,
): Promise<void> {
  await drawDocument(out, format, async (document) => {
    let drawn = 0;
    for await (const code of codes) {
      const cell = (firstCell + drawn) % cellsPerPage(format);
      if (drawn === 0 || cell === 0) await addPage(document, out, offset);
      const texts = {
        call: english.texts.sticker.call,
        typedCode: typedCodeOf(code),
        ...(own !== undefined && { own }),
      };
      const link = stickerLink(stickerUrl, code);
      const sticker = stickerDrawing(format, cell, { link, texts, ...(logo !== undefined && { logo }) });
      if (sticker === null)
        throw new OperatorError(`The labels of ${format.id} are too small for links to ${stickerUrl}.`);
      if (own !== undefined && !sticker.texts.some(({ kind }) => kind === 'own'))
        throw new OperatorError(`The labels of ${format.id} have no room for the line.`);
      if (logo !== undefined && sticker.logo === null)
        throw new OperatorError(`The labels of ${format.id} have no room for the logo.`);
      if (drawn % readEach === 0 && (await readAgain(sticker, cellBox(format, cell), logo ?? null)) !== link)
        throw new OperatorError(`The code of sticker ${drawn + 1} cannot be read. Choose larger labels.`);
      drawOnPdf(document, sticker, { color: INK, logo: logo ?? null });
      drawn += 1;
    }
  });
}

/**
 * Writes a page with the outlines of all labels, and scales in millimeters at the edges of the first one. Laid over a
 * sheet of labels, it shows how far a printer is off: by all of it, so nothing of it is corrected here.
 */
export async function drawCalibration(out: Writable, format: LabelFormat): Promise<void> {
  await drawDocument(out, format, async (document) => {
    await addPage(document, out, NO_OFFSET);
    drawCalibrationOnPdf(document, calibrationDrawing(format), format);
  });
}

async function drawDocument(
  out: Writable,
  format: LabelFormat,
  draw: (document: Document) => Promise<void>,
): Promise<void> {
  const { width, height } = pageSize(format);
  const size: [number, number] = [points(width), points(height)];
  const document = new PDFDocument({ autoFirstPage: false, size, margin: 0, info: { Title: format.id } });
  printAtFullSize(document);
  const written = finished(out);
  // Awaited at the end. A failure until then must not end the process.
  written.catch(() => undefined);
  document.pipe(out);
  await draw(document);
  document.end();
  await written;
}

/**
 * Waits until the pages that are complete are written, so that they do not pile up in memory. The document passes them on
 * only in another turn of the event loop, and codes that are at hand let none happen. Rejects where the stream has failed.
 */
async function addPage(document: Document, out: Writable, offset: PrinterOffset): Promise<void> {
  while (document.readableLength > 0) {
    if (out.destroyed) await finished(out);
    await setImmediate();
    if (out.writableNeedDrain) await once(out, 'drain');
  }
  document.addPage();
  document.translate(points(offset.x / 10), points(offset.y / 10));
}

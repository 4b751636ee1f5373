import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';

const PER_PAGE = 30;
const MODULE = 1;

/** Writes a PDF with the QR codes of the links, and with nothing else: no labels, no texts, no choice of a size. */
export async function drawBareCodes(out: Writable, links: Iterable<string>): Promise<void> {
  const document = new PDFDocument({ autoFirstPage: false, size: 'LETTER', margin: 0 });
  const written = finished(out);
  document.pipe(out);
  let drawn = 0;
  for (const link of links) {
    if (drawn % PER_PAGE === 0) {
      if (out.writableNeedDrain) await once(out, 'drain');
      document.addPage();
    }
    const { data } = encode(link, { ecc: 'M', border: 0, boostEcc: true });
    const left = (drawn % 3) * 200;
    const top = (Math.floor(drawn / 3) % 10) * 75;
    for (const [y, row] of data.entries()) {
      for (let start = row.indexOf(true); start >= 0; ) {
        const light = row.indexOf(false, start);
        const end = light < 0 ? row.length : light;
        document.rect(left + start * MODULE, top + y * MODULE, (end - start) * MODULE, MODULE);
        start = row.indexOf(true, end);
      }
    }
    document.fill('#000000');
    drawn += 1;
  }
  document.end();
  await written;
}

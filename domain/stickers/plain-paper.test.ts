import { describe, expect, test } from 'vitest';
import {
  type PaperSize,
  plainPaper,
  STICKER_SIZES,
  type StickerSize,
  singleSticker,
  usualPaper,
} from './plain-paper.ts';
import { cellBox, cellsPerPage, pageSize } from './sheet-layout.ts';
import { stickerDrawing } from './sticker-drawing.ts';

const CONTENT = {
  link: 'https://lost-and-found.example.org/tgt-8fJ2_kQ0-mZp4wAb',
  texts: { own: 'Dana’s bag', call: 'Found? Scan me', typedCode: '3DT6-Y0E3-TXX7-GGAD', product: 'Reunite' },
};
const SIZES = Object.keys(STICKER_SIZES) as StickerSize[];

describe.each(SIZES)('%s stickers', (size) => {
  test.each<PaperSize>(['a4', 'letter'])('on %s stay a centimeter away from the edge of the paper', (paper) => {
    const format = plainPaper(paper, size);
    const page = pageSize(format);
    const first = cellBox(format, 0);
    const last = cellBox(format, cellsPerPage(format) - 1);
    expect(Math.min(first.x, first.y)).toBeGreaterThanOrEqual(10);
    expect(last.x + last.width).toBeLessThanOrEqual(page.width - 10);
    expect(last.y + last.height).toBeLessThanOrEqual(page.height - 10);
    // There is no room for one more.
    expect((format.columns + 1) * format.width).toBeGreaterThan(page.width - 20);
    expect((format.rows + 1) * format.height).toBeGreaterThan(page.height - 20);
  });

  test('have room for the code, the call, a line of the owner’s own, and the typed code', () => {
    const kinds = stickerDrawing(singleSticker(size), 0, CONTENT)?.texts.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['own', 'call', 'typed-code', ...(size === 'small' ? [] : ['product'])]));
  });
});

test('the paper is that of the language’s country', () => {
  expect(['en', 'en-US', 'es-MX', 'en-GB', 'he', 'de'].map(usualPaper)).toEqual([
    'letter',
    'letter',
    'letter',
    'a4',
    'a4',
    'a4',
  ]);
});

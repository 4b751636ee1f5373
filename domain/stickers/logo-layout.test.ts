import { describe, expect, it } from 'vitest';
import { LABEL_FORMATS, type LabelFormat, labelFormat } from './label-formats.ts';
import { singleSticker } from './plain-paper.ts';
import { type Box, cellBox } from './sheet-layout.ts';
import { stickerDrawing } from './sticker-drawing.ts';
import { type Proportions, stickerLayout } from './sticker-layout.ts';

const TEXTS = { call: 'Found? Scan me', typedCode: '3DT6-Y0E3-TXX7-GGAD' };
const LINK = 'https://lost.example.org/tgt-8fJ2_kQ0-mZp4w1x';
const LOGOS: readonly Proportions[] = [
  { width: 400, height: 400 },
  { width: 640, height: 160 },
  { width: 160, height: 640 },
];
const SLACK = 0.002;

const corners = ({ x, y, width, height }: Box) =>
  [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ] as const;

const overlap = (one: Box, other: Box) =>
  one.x + SLACK < other.x + other.width &&
  other.x + SLACK < one.x + one.width &&
  one.y + SLACK < other.y + other.height &&
  other.y + SLACK < one.y + one.height;

function formatOf(id: string): LabelFormat {
  return labelFormat(id) ?? expect.unreachable(id);
}

describe.each(LABEL_FORMATS.map((format) => [format.id, format] as const))('%s', (_id, format) => {
  it.each(LOGOS)('has a logo of $width × $height over nothing else, or leaves it out', (logo) => {
    const cell = cellBox(format, 0);
    const layout = stickerLayout(format, 0, TEXTS, logo);
    const boxes = [layout.code, ...layout.lines, ...(layout.logo === null ? [] : [layout.logo])];
    for (const [at, box] of boxes.entries()) {
      expect(boxes.slice(at + 1).filter((other) => overlap(box, other))).toEqual([]);
      for (const [x, y] of corners(box)) {
        const fromCenter = Math.hypot(x - cell.x - cell.width / 2, y - cell.y - cell.height / 2);
        if (format.shape === 'round') expect(fromCenter).toBeLessThanOrEqual(cell.width / 2 - 1);
        expect(x).toBeGreaterThanOrEqual(cell.x + 1);
        expect(x).toBeLessThanOrEqual(cell.x + cell.width - 1);
        expect(y).toBeGreaterThanOrEqual(cell.y + 1);
        expect(y).toBeLessThanOrEqual(cell.y + cell.height - 1);
      }
    }
    if (layout.logo !== null) expect(layout.logo.width / layout.logo.height).toBeCloseTo(logo.width / logo.height, 6);
    // The code and what a finder types come before any picture.
    const drawing = stickerDrawing(format, 0, { link: LINK, texts: TEXTS, logo });
    expect(drawing?.texts.some(({ kind }) => kind === 'typed-code')).toBe(true);
  });
});

it('has room for a logo with the call and the typed code on common labels', () => {
  const formats = [formatOf('avery-5160'), formatOf('zweckform-3474'), singleSticker('medium'), singleSticker('large')];
  for (const format of formats) {
    const { logo, lines } = stickerLayout(format, 0, TEXTS, { width: 1, height: 1 });
    expect(logo?.height, format.id).toBeGreaterThanOrEqual(6);
    expect(new Set(lines.map(({ kind }) => kind)), format.id).toEqual(new Set(['call', 'typed-code']));
  }
});

it('gives a logo all room beside a code without texts', () => {
  const format = formatOf('avery-5160');
  const { code, logo } = stickerLayout(format, 0, {}, { width: 1, height: 1 });
  expect(logo?.height).toBeCloseTo(code.height, 6);
});

it('leaves out the product and the call before a logo, and a logo before the line', () => {
  const kindsOn = (format: LabelFormat) => {
    const texts = { ...TEXTS, own: 'Dana', product: 'Reunite' };
    const { logo, lines } = stickerLayout(format, 0, texts, { width: 1, height: 1 });
    return [...(logo === null ? [] : ['logo']), ...new Set(lines.map(({ kind }) => kind))];
  };
  expect(kindsOn(formatOf('avery-5164'))).toEqual(['logo', 'own', 'call', 'typed-code', 'product']);
  expect(kindsOn(formatOf('zweckform-6021'))).toEqual(['logo', 'own', 'typed-code']);
  expect(kindsOn(formatOf('dymo-30332'))).toEqual(['typed-code']);
});

it('leaves out a logo that makes the code too small for its link', () => {
  let leftOut = 0;
  for (const length of [20, 60, 120, 200]) {
    const link = `https://${'a'.repeat(length)}.example.org/tgt-8fJ2_kQ0-mZp4w1x`;
    for (const format of LABEL_FORMATS) {
      const plain = stickerDrawing(format, 0, { link, texts: TEXTS });
      const square = { width: 1, height: 1 };
      const drawing = stickerDrawing(format, 0, { link, texts: TEXTS, logo: square });
      expect(drawing === null, format.id).toBe(plain === null);
      if (drawing?.logo === null && stickerLayout(format, 0, TEXTS, square).logo !== null) leftOut += 1;
    }
  }
  expect(leftOut).toBeGreaterThan(0);
});

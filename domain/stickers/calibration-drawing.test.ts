import { describe, expect, it } from 'vitest';
import { calibrationDrawing, NUMERAL_SIZE } from './calibration-drawing.ts';
import { LABEL_FORMATS } from './label-formats.ts';
import { measuredFormat } from './measured-labels.ts';
import { plainPaper, singleSticker } from './plain-paper.ts';
import { textWidth } from './printable-text.ts';
import { type Box, cellBox, pageSize } from './sheet-layout.ts';

const MEASURED = {
  page: 'a4',
  shape: 'rectangle',
  width: 15,
  height: 15,
  columns: 1,
  rows: 1,
  left: 0,
  top: 0,
  gapX: 0,
  gapY: 0,
} as const;

const FORMATS = [
  ...LABEL_FORMATS,
  ...(['small', 'medium', 'large', 'extraLarge'] as const).flatMap((size) => [
    plainPaper('a4', size),
    plainPaper('letter', size),
    singleSticker(size),
  ]),
  { ...measuredFormat(MEASURED), id: 'the smallest labels' },
  { ...measuredFormat({ ...MEASURED, width: 210, height: 297 }), id: 'a whole page' },
  // Smaller round ones have no room for a sticker.
  { ...measuredFormat({ ...MEASURED, shape: 'round', width: 18.5 }), id: 'the smallest round labels' },
  { ...measuredFormat({ ...MEASURED, page: 'label', shape: 'round', width: 18.5 }), id: 'round labels on a roll' },
  { ...measuredFormat({ ...MEASURED, page: 'label', width: 18, height: 18 }), id: 'small labels on a roll' },
];

/** What can be read: each half of a millimeter. */
const READINGS = Array.from({ length: 21 }, (_, index) => index / 2 - 5);

const within = (page: { width: number; height: number }, { x, y, width, height }: Box) =>
  x > -1e-9 && y > -1e-9 && x + width < page.width + 1e-9 && y + height < page.height + 1e-9;
const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

describe.each(FORMATS.map((format) => [format.id, format] as const))('the test page of %s', (_id, format) => {
  const { ticks, numerals } = calibrationDrawing(format);
  const page = pageSize(format);
  const cell = cellBox(format, 0);
  const lines = ticks.map(({ from, to }) => ({
    x: from[0],
    y: from[1],
    width: to[0] - from[0],
    height: to[1] - from[1],
  }));
  const numbers = numerals.map(({ text, x, y }) => {
    const [width, height] = [textWidth(text) * NUMERAL_SIZE, 0.72 * NUMERAL_SIZE];
    return { x: x - width / 2, y: y - height / 2, width, height };
  });
  const axes = [
    { edges: [cell.x, cell.x + cell.width], places: lines.filter(({ width }) => width === 0).map(({ x }) => x) },
    { edges: [cell.y, cell.y + cell.height], places: lines.filter(({ height }) => height === 0).map(({ y }) => y) },
  ];

  it('has its scales on the page, with nothing over anything else', () => {
    for (const box of [...lines, ...numbers]) expect(within(page, box)).toBe(true);
    for (const [index, number] of numbers.entries()) {
      for (const other of [...lines, ...numbers.slice(index + 1)]) expect(overlap(number, other)).toBe(false);
    }
  });

  it('shows each half of a millimeter that a printer may be off, across and down', () => {
    for (const { edges, places } of axes) {
      for (const reading of READINGS) {
        expect(places.some((place) => edges.some((edge) => Math.abs(place - edge - reading) < 1e-9))).toBe(true);
      }
    }
  });

  it('has numerals that say how far the edge is', () => {
    for (const [axis, { edges }] of axes.entries()) {
      for (const [text, value] of [
        ['–4', -4],
        ['–2', -2],
        ['+2', 2],
        ['+4', 4],
      ] as const) {
        const places = numerals.filter((numeral) => numeral.text === text).map(({ x, y }) => (axis === 0 ? x : y));
        expect(places.some((place) => edges.some((edge) => Math.abs(place - edge - value) < 1e-9))).toBe(true);
      }
    }
  });

  it('has its scales where the label’s edge passes them', () => {
    if (format.shape !== 'round') return;
    const middle = { x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 };
    for (const { x, y, width } of lines) {
      expect(Math.abs(width === 0 ? y - middle.y : x - middle.x)).toBeLessThan(1.6);
    }
  });
});

it('has whole scales at an edge inside a sheet, where printers print', () => {
  for (const format of LABEL_FORMATS.filter(({ page, columns, rows }) => page !== 'label' && columns > 1 && rows > 1)) {
    const { ticks } = calibrationDrawing(format);
    expect(ticks.length).toBe(2 * READINGS.length);
    const page = pageSize(format);
    for (const { from } of ticks) {
      expect(Math.min(from[0], from[1], page.width - from[0], page.height - from[1])).toBeGreaterThanOrEqual(4);
    }
  }
});

import { describe, expect, it } from 'vitest';
import { findLabelFormats, LABEL_FORMATS, type LabelFormat, labelFormat, partFor } from './label-formats.ts';
import { cellBox, cellsPerPage, pageSize } from './sheet-layout.ts';
import { stickerLayout } from './sticker-layout.ts';

const TEXTS = { call: 'Found? Scan me', typedCode: '3DT6-Y0E3-TXX7-GGAD' };
/** Figures in inches are not exact in millimeters. */
const SLACK = 0.002;

it('has at least 40 formats of sheets and rolls, rectangular and round, each with its own id', () => {
  expect(LABEL_FORMATS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(LABEL_FORMATS.map(({ id }) => id)).size).toBe(LABEL_FORMATS.length);
  expect(new Set(LABEL_FORMATS.map(({ page }) => page))).toEqual(new Set(['a4', 'letter', 'label']));
  for (const brand of ['Avery', 'Avery Zweckform', 'Herma', 'DYMO', 'Brother']) {
    expect(findLabelFormats(brand).length, brand).toBeGreaterThan(3);
  }
  expect(LABEL_FORMATS.filter(({ shape }) => shape === 'round').length).toBeGreaterThan(3);
  expect(LABEL_FORMATS.some(({ shape, width, height }) => shape === 'rectangle' && width === height)).toBe(true);
});

it('is searched by brand and number, in any case', () => {
  expect(findLabelFormats('avery 5160').map(({ id }) => id)).toEqual(['avery-5160']);
  expect(findLabelFormats('8160').map(({ id }) => id)).toContain('avery-5160');
  expect(findLabelFormats('dk-1201').map(({ id }) => id)).toEqual(['brother-dk-1201']);
  expect(findLabelFormats('no such label')).toEqual([]);
  expect(labelFormat('AVERY-5160')?.rows).toBe(10);
  expect(labelFormat('5160')).toBeNull();
});

it('is searched by its description too, after what is named so', () => {
  const describe = ({ shape, brand }: LabelFormat) => (brand === 'Herma' ? 'Like Avery 5160' : `A ${shape} one`);
  expect(findLabelFormats('Round avery', describe).every(({ shape }) => shape === 'round')).toBe(true);
  expect(findLabelFormats('Round avery', describe).length).toBeGreaterThan(1);
  const [first, ...others] = findLabelFormats('5160', describe).map(({ brand }) => brand);
  expect(first).toBe('Avery');
  expect(new Set(others)).toEqual(new Set(['Herma']));
});

it.each([
  // Brother's numbers outside the US, and its sizes in millimeters.
  ['DK-11201', 29, 90],
  ['dk11202', 62, 100],
  ['Brother 11204', 17, 54],
  ['DK-11208', 38, 90],
])('finds %s, and names it by this number', (searched, width, height) => {
  const [format, ...others] = findLabelFormats(searched);
  if (format === undefined) return expect.unreachable();
  expect(others).toEqual([]);
  expect([Math.round(format.width), Math.round(format.height)]).toEqual([width, height]);
  expect(partFor(format, searched)).toBe(`DK-${/\d+/.exec(searched)?.[0]}`);
});

it('names labels by the number that was searched for, or by their first', () => {
  const [format] = findLabelFormats('dk-1201');
  if (format === undefined) return expect.unreachable();
  expect(['dk-1201', '1201', 'brother', ''].map((searched) => partFor(format, searched))).toEqual(
    Array(4).fill('DK-1201'),
  );
});

describe.each(LABEL_FORMATS.map((format) => [format.id, format] as const))('%s', (_id, format) => {
  it('has its labels on the page, and none over another', () => {
    const page = pageSize(format);
    const last = cellBox(format, cellsPerPage(format) - 1);
    expect(Math.min(format.left, format.top)).toBeGreaterThanOrEqual(0);
    expect(last.x + last.width).toBeLessThanOrEqual(page.width + SLACK);
    expect(last.y + last.height).toBeLessThanOrEqual(page.height + SLACK);
    expect(format.pitchX).toBeGreaterThanOrEqual(format.width - SLACK);
    expect(format.pitchY).toBeGreaterThanOrEqual(format.height - SLACK);
  });

  it('has room for a sticker: a code of 13 mm and its typed code, nothing over anything else or the edge', () => {
    const { code, lines } = stickerLayout(format, 0, TEXTS);
    const cell = cellBox(format, 0);
    expect(code.width).toBe(code.height);
    expect(code.width).toBeGreaterThanOrEqual(13);
    expect(
      lines
        .filter(({ kind }) => kind === 'typed-code')
        .map(({ text }) => text)
        .join(''),
    ).toBe(TEXTS.typedCode);
    for (const box of [code, ...lines]) {
      for (const [x, y] of [
        [box.x, box.y],
        [box.x + box.width, box.y],
        [box.x, box.y + box.height],
        [box.x + box.width, box.y + box.height],
      ] as const) {
        const fromCenter = Math.hypot(x - cell.x - cell.width / 2, y - cell.y - cell.height / 2);
        if (format.shape === 'round') expect(fromCenter).toBeLessThanOrEqual(cell.width / 2 - 1);
        expect(x).toBeGreaterThanOrEqual(cell.x + 1);
        expect(x).toBeLessThanOrEqual(cell.x + cell.width - 1);
        expect(y).toBeGreaterThanOrEqual(cell.y + 1);
        expect(y).toBeLessThanOrEqual(cell.y + cell.height - 1);
      }
    }
    for (const line of lines) {
      const isBeside = line.x >= code.x + code.width;
      const isBelow = line.y >= code.y + code.height - SLACK;
      expect(isBeside || isBelow).toBe(true);
    }
  });
});

import { expect, test } from 'vitest';
import { haveSameMeasures, type MeasuredLabels, measuredFormat, measuresOf, overflowOf } from './measured-labels.ts';
import { cellBox, cellsPerPage, pageSize } from './sheet-layout.ts';

// Avery L7160 with a ruler.
const LABELS: MeasuredLabels = {
  page: 'a4',
  shape: 'rectangle',
  ...{ width: 63.5, height: 38.1, columns: 3, rows: 7, left: 7.2, top: 15.1, gapX: 2.5, gapY: 0 },
};

test('measured labels lie side by side with their gaps', () => {
  const box = cellBox(measuredFormat(LABELS), 4);
  expect([box.x, box.y, box.width, box.height]).toEqual([7.2 + 66, 15.1 + 38.1, 63.5, 38.1]);
});

test('labels that leave the paper are noticed', () => {
  expect(overflowOf(LABELS)).toBeNull();
  expect(overflowOf({ ...LABELS, columns: 4 })).toBe('width');
  expect(overflowOf({ ...LABELS, rows: 8 })).toBe('height');
  expect(overflowOf({ ...LABELS, width: 66 })).toBeNull();
  expect(overflowOf({ ...LABELS, width: 66.5 })).toBe('width');
});

test('round labels have their diameter in both directions', () => {
  const round: MeasuredLabels = { ...LABELS, shape: 'round', width: 40 };
  expect(measuresOf(round)).toEqual(['width', 'columns', 'rows', 'left', 'top', 'gapX', 'gapY']);
  expect(measuredFormat(round)).toMatchObject({ shape: 'round', width: 40, height: 40, pitchX: 42.5, pitchY: 40 });
  expect(haveSameMeasures(round, { ...round, height: 50 })).toBe(true);
  expect(haveSameMeasures(round, { ...round, shape: 'rectangle', height: 40 })).toBe(false);
});

test('on a roll a page is one label, whatever a sheet would have', () => {
  const roll: MeasuredLabels = { ...LABELS, page: 'label', width: 50, height: 30 };
  expect(measuresOf(roll)).toEqual(['width', 'height']);
  const format = measuredFormat(roll);
  expect(pageSize(format)).toEqual({ width: 50, height: 30 });
  expect(cellsPerPage(format)).toBe(1);
  expect(cellBox(format, 0)).toEqual({ x: 0, y: 0, width: 50, height: 30 });
  expect(overflowOf(roll)).toBeNull();
  expect(haveSameMeasures(roll, { ...roll, columns: 9, gapX: 1 })).toBe(true);
});

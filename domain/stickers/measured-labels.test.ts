import { expect, test } from 'vitest';
import { type MeasuredLabels, measuredFormat, overflowOf } from './measured-labels.ts';
import { cellBox } from './sheet-layout.ts';

// Avery L7160 with a ruler.
const LABELS: MeasuredLabels = {
  page: 'a4',
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

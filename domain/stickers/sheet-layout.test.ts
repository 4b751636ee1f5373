import { expect, test } from 'vitest';
import { labelFormat } from './label-formats.ts';
import { fillPages } from './sheet-layout.ts';

test('pages are filled from the first free label, and later pages from their first', () => {
  const format = labelFormat('avery-5168');
  if (format === null) return expect.unreachable();
  const cells = fillPages(format, 6, 3).map((page) => page.map(({ sticker, cell }) => [sticker, cell]));
  expect(cells).toEqual([
    [[0, 3]],
    [
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 3],
    ],
    [[5, 0]],
  ]);
  expect(fillPages(format, 0, 0)).toEqual([]);
});

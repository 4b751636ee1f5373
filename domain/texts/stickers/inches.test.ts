import { expect, test } from 'vitest';
import { LABEL_FORMATS } from '#domain/stickers/label-formats.ts';
import { inInches } from './inches.ts';

test.for([
  [25.4, '1'],
  [66.675, '2-5/8'],
  [101.6, '4'],
  [84.67, '3-1/3'],
  [12.7, '1/2'],
  [31, '1.22'],
] as const)('%d mm is %s in', ([millimeters, inches]) => {
  expect(inInches(millimeters)).toBe(inches);
});

test('the labels on sheets of US Letter have the sizes of their packages', () => {
  const sizes = LABEL_FORMATS.filter(({ page }) => page === 'letter').map(
    ({ id, width, height }) => [id, `${inInches(width)} × ${inInches(height)}`] as const,
  );
  expect(Object.fromEntries(sizes)).toMatchObject({
    'avery-5160': '2-5/8 × 1',
    'avery-5163': '4 × 2',
    'avery-5164': '4 × 3-1/3',
    'avery-5195': '3-5/16 × 3-5/16',
    'avery-8195': '1-3/4 × 2/3',
  });
});

import { expect, test } from 'vitest';
import { contrast } from '#domain/contrast.ts';
import { readableAccent } from './accent-colors.ts';

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('a color that can be read stays, and another becomes the nearest darker one that can', () => {
  expect(readableAccent('#0b5d4d')).toBe('#0b5d4d');
  const [yellow, darker] = ['#ffcc00', readableAccent('#ffcc00')];
  expect(contrast(yellow, '#e7eeea')).toBeLessThan(4.5);
  expect(contrast(darker, '#e7eeea')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(darker, '#e7eeea')).toBeLessThan(5);
});

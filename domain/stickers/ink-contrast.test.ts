import { expect, test } from 'vitest';
import { inkContrast } from './ink-contrast.ts';

test.each([
  ['#000000', 21],
  ['#ffffff', 1],
  // WebAIM's contrast checker.
  ['#777777', 4.48],
  ['#ff0000', 4],
])('%s on white has a contrast of %f', (color, contrast) => {
  expect(inkContrast(color)).toBeCloseTo(contrast, 1);
});

import { expect, test } from 'vitest';
import { namesMoney } from './names-money.ts';

test.each([
  ['50 €', true],
  ['₪100', true],
  ['20 pounds', true],
  ['٥٠ ريال', true],
  ['A homemade cake', false],
  ['קפה ועוגה', false],
])('%s: %s', (reward, expected) => {
  expect(namesMoney(reward)).toBe(expected);
});

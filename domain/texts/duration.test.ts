import { expect, test } from 'vitest';
import { durationIn } from './duration.ts';

test.each([
  [1, '1 second'],
  [45, '45 seconds'],
  [60, '1 minute'],
  [90, '90 seconds'],
  [600, '10 minutes'],
  [3_600, '1 hour'],
  [5_400, '90 minutes'],
  [86_400, '1 day'],
  [365 * 86_400, '365 days'],
])('%i seconds are %s', (seconds, words) => {
  expect(durationIn('en', seconds)).toBe(words);
});

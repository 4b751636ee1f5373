import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('a burst passes, then as many as are refilled each second', () => {
  const bucket = new TokenBucket(2, 3, 0);
  expect([0, 0, 0, 0].map((now) => bucket.take(now))).toEqual([true, true, true, false]);
  expect(bucket.take(499)).toBe(false);
  expect([1001, 1001, 1001].map((now) => bucket.take(now))).toEqual([true, true, false]);
});

test('no more than the burst accumulates, and a clock that is set back adds nothing', () => {
  const bucket = new TokenBucket(1, 2, 0);
  expect([1e6, 1e6, 1e6].map((now) => bucket.take(now))).toEqual([true, true, false]);
  expect(bucket.take(0)).toBe(false);
});

test('several tokens are taken together or not at all', () => {
  const bucket = new TokenBucket(1, 5, 0);
  expect(bucket.take(0, 6)).toBe(false);
  expect(bucket.take(0, 5)).toBe(true);
});

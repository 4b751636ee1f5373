import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

test('a burst passes, then as many as come back each second', () => {
  const bucket = new TokenBucket(2, 3, 0);
  expect([0, 0, 0, 0].map((now) => bucket.take(now))).toEqual([true, true, true, false]);
  expect(bucket.take(499)).toBe(false);
  expect([1001, 1001, 1001].map((now) => bucket.take(now))).toEqual([true, true, false]);
});

test('no more is saved up than the burst, and a clock that is set back gives nothing', () => {
  const bucket = new TokenBucket(1, 2, 0);
  expect([1e6, 1e6, 1e6].map((now) => bucket.take(now))).toEqual([true, true, false]);
  expect(bucket.take(0)).toBe(false);
});

test('several are taken together or not at all', () => {
  const bucket = new TokenBucket(1, 5, 0);
  expect(bucket.take(0, 6)).toBe(false);
  expect(bucket.take(0, 5)).toBe(true);
  expect(bucket.isFull(4_999)).toBe(false);
  expect(bucket.isFull(5_000)).toBe(true);
});

import { expect, test } from 'vitest';
import { createMissLimit } from './miss-limit.ts';
import type { RateLimitVerdict } from './rate-limits.ts';

/** A code chosen by an operator, short enough to be guessed. */
const GUESSABLE = 'bike-7';

function setUp(allowed: number) {
  const clock = { now: 1_000 };
  const asked: string[] = [];
  const take = async (_: string, key: string): Promise<RateLimitVerdict> => {
    asked.push(key);
    return asked.length <= allowed ? { allowed: true } : { allowed: false, retryAfterSeconds: 60 };
  };
  return { clock, asked, misses: createMissLimit({ limits: { take }, now: () => clock.now }) };
}

test('an address within its allowed misses is not refused', async () => {
  const { misses } = setUp(2);
  expect([await misses.countMiss('a'), await misses.countMiss('a')]).toEqual([null, null]);
  expect(misses.refusal('a', GUESSABLE)).toBeNull();
});

test('after too many misses the address is refused for the period of the limit, without a query', async () => {
  const { clock, asked, misses } = setUp(0);
  expect(await misses.countMiss('a')).toBe(60);
  expect([misses.refusal('a', GUESSABLE), misses.refusal('b', GUESSABLE)]).toEqual([60, null]);
  clock.now += 59_001;
  expect(misses.refusal('a', GUESSABLE)).toBe(1);
  clock.now += 999;
  expect(misses.refusal('a', GUESSABLE)).toBeNull();
  expect(asked).toEqual(['a']);
});

test('memory is bounded: the address refused first is looked up again', async () => {
  const { misses } = setUp(0);
  for (let index = 0; index <= 10_000; index += 1) await misses.countMiss(`address ${index}`);
  expect([
    misses.refusal('address 0', GUESSABLE),
    misses.refusal('address 1', GUESSABLE),
    misses.refusal('address 10000', GUESSABLE),
  ]).toEqual([null, 60, 60]);
});

test('a refused address can still look up codes that cannot be guessed, and learns of no further miss [K16]', async () => {
  const { asked, misses } = setUp(0);
  await misses.countMiss('a');
  expect(misses.refusal('a', 'tgt-AAAAAAAAAAAAAA')).toBeNull();
  expect(await misses.countMiss('a')).toBe(60);
  // What is refused already is not counted again.
  expect(asked).toEqual(['a']);
});

import { expect, test } from 'vitest';
import type { RateLimitAnswer } from './limit-peek.ts';
import { createMissLimit } from './miss-limit.ts';

function setUp(allowed: number) {
  const clock = { now: 1_000 };
  const asked: string[] = [];
  const take = async (_: string, key: string): Promise<RateLimitAnswer> => {
    asked.push(key);
    return asked.length <= allowed ? { allowed: true } : { allowed: false, retryAfterSeconds: 60 };
  };
  return { clock, asked, misses: createMissLimit({ limits: { take }, now: () => clock.now }) };
}

test('nobody is refused who missed no more than allowed', async () => {
  const { misses } = setUp(2);
  expect([await misses.countMiss('a'), await misses.countMiss('a')]).toEqual([null, null]);
  expect(misses.refusal('a')).toBeNull();
});

test('after too many the address is refused for as long as the limit says, without a question to it', async () => {
  const { clock, asked, misses } = setUp(0);
  expect(await misses.countMiss('a')).toBe(60);
  expect([misses.refusal('a'), misses.refusal('b')]).toEqual([60, null]);
  clock.now += 59_001;
  expect(misses.refusal('a')).toBe(1);
  clock.now += 999;
  expect(misses.refusal('a')).toBeNull();
  expect(asked).toEqual(['a']);
});

test('memory is bounded: the address that was refused first is asked about again', async () => {
  const { misses } = setUp(0);
  for (let index = 0; index <= 10_000; index += 1) await misses.countMiss(`address ${index}`);
  expect([misses.refusal('address 0'), misses.refusal('address 1'), misses.refusal('address 10000')]).toEqual([
    null,
    60,
    60,
  ]);
});

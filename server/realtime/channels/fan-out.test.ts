import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FanOut } from './fan-out.ts';

/** Telling a member takes a millisecond of a clock that nothing else moves. */
function setUp(options: { readonly budgetMs: number; readonly mostWaiting: number }) {
  let now = 0;
  const told: string[] = [];
  const fanOut = new FanOut<number>({ ...options, now: () => now });
  const say = (word: string, members: number) =>
    fanOut.add(Array(members).keys(), (member) => {
      now += 1;
      told.push(`${word}${member}`);
    });
  return { fanOut, say, told };
}

test('a turn of the event loop tells as many as its budget lets it, and the next ones the rest, in order', async () => {
  const { say, told } = setUp({ budgetMs: 10, mostWaiting: 100 });
  say('a', 8);
  say('b', 15);
  say('c', 1);
  expect(told).toHaveLength(10);
  await turn();
  expect(told).toHaveLength(20);
  await turn();
  expect(told).toEqual([
    ...Array.from({ length: 8 }, (_, member) => `a${member}`),
    ...Array.from({ length: 15 }, (_, member) => `b${member}`),
    'c0',
  ]);
});

test('what waits is bounded: beyond it clients are refused, and beyond twice as much nobody is told', () => {
  const { fanOut, say } = setUp({ budgetMs: 1, mostWaiting: 10 });
  expect([say('a', 8), fanOut.isFull]).toEqual([true, false]);
  expect([say('b', 8), fanOut.isFull]).toEqual([true, true]);
  expect(say('c', 8)).toBe(false);
  expect(say('d', 5)).toBe(true);
});

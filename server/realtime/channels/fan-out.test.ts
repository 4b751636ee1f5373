import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FanOut } from './fan-out.ts';

/** Delivering to a member takes one millisecond of a clock that nothing else advances. */
function setUp(options: { readonly budgetMs: number; readonly mostWaiting: number }) {
  let now = 0;
  const delivered: string[] = [];
  const fanOut = new FanOut<number>({ ...options, now: () => now });
  const say = (word: string, members: number) =>
    fanOut.add(Array(members).keys(), (member) => {
      now += 1;
      delivered.push(`${word}${member}`);
    });
  return { fanOut, say, delivered };
}

test('one turn of the event loop delivers within its budget, and later turns deliver the rest in order [K9]', async () => {
  const { say, delivered } = setUp({ budgetMs: 10, mostWaiting: 100 });
  say('a', 8);
  say('b', 15);
  say('c', 1);
  expect(delivered).toHaveLength(10);
  await turn();
  expect(delivered).toHaveLength(20);
  await turn();
  expect(delivered).toEqual([
    ...Array.from({ length: 8 }, (_, member) => `a${member}`),
    ...Array.from({ length: 15 }, (_, member) => `b${member}`),
    'c0',
  ]);
});

test('the queue is bounded: beyond it clients are refused, and beyond twice its size nothing is delivered [K9]', () => {
  const { fanOut, say } = setUp({ budgetMs: 1, mostWaiting: 10 });
  expect([say('a', 8), fanOut.isFull]).toEqual([true, false]);
  expect([say('b', 8), fanOut.isFull]).toEqual([true, true]);
  expect(say('c', 8)).toBe(false);
  expect(say('d', 5)).toBe(true);
});

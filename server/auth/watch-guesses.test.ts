import { expect, test } from 'vitest';
import { watchGuesses } from './watch-guesses.ts';

function watch() {
  const clock = { now: 0 };
  const warnings: unknown[] = [];
  const count = watchGuesses({
    log: { warn: (...logged: unknown[]) => void warnings.push(logged) },
    now: () => clock.now,
  });
  return { clock, warnings, count };
}

test('fifteen hundred wrong guesses in ten seconds warn once, and again after ten minutes [A7]', () => {
  const { clock, warnings, count } = watch();
  for (let at = 0; at < 1_500; at += 1) {
    clock.now = at * 6;
    count();
  }
  expect(warnings).toHaveLength(1);
  clock.now += 600_000;
  for (let at = 0; at < 200; at += 1) count();
  expect(warnings).toHaveLength(2);
});

test('what owners mistype warns of nothing', () => {
  const { clock, warnings, count } = watch();
  for (let at = 0; at < 5_000; at += 1) {
    clock.now = at * 1_000;
    count();
  }
  expect(warnings).toEqual([]);
});

import { expect, test } from 'vitest';
import { createFloodGuard, FLOOD } from './flood-guard.ts';

test('an address that goes on after hundreds of refusals is cut off for seconds; another is not [K8]', () => {
  let now = 0;
  const guard = createFloodGuard(() => now);
  for (let count = 0; count < FLOOD.refusalBurst; count += 1) guard.countRefusal('a');
  expect(guard.cutFor('a')).toBeNull();
  guard.countRefusal('a');
  expect([guard.cutFor('a'), guard.cutFor('b')]).toEqual([5, null]);
  now += FLOOD.cutMs;
  expect(guard.cutFor('a')).toBeNull();
});

test('refusals at a user’s pace never cut a client off', () => {
  let now = 0;
  const guard = createFloodGuard(() => now);
  for (let count = 0; count < 10_000; count += 1) {
    guard.countRefusal('a');
    now += 1_000 / FLOOD.refusalsPerSecond;
  }
  expect(guard.cutFor('a')).toBeNull();
});

import { expect, test } from 'vitest';
import { QuickStatements } from './quick-statements.ts';

function setUp() {
  const clock = { now: 1_000 };
  const statements = new QuickStatements({ now: () => clock.now });
  const run = (name: string, takes: number, outcome: 'answers' | 'fails' = 'answers') =>
    statements
      .timed(name, async () => {
        clock.now += takes;
        if (outcome === 'fails') throw new Error('no');
      })
      .catch(() => undefined);
  return { clock, statements, run };
}

test('a statement is quick once it has answered quickly, and not before', async () => {
  const { statements, run } = setUp();
  expect(statements.has('a')).toBe(false);
  await run('a', 5, 'fails');
  expect(statements.has('a')).toBe(false);
  await run('a', 5);
  expect([statements.has('a'), statements.has('b')]).toEqual([true, false]);
});

test('one that was slow, or failed after a long time, is not quick for a minute', async () => {
  const { clock, statements, run } = setUp();
  for (const outcome of ['answers', 'fails'] as const) {
    await run('a', 5);
    await run('a', 101, outcome);
    await run('a', 5);
    expect(statements.has('a')).toBe(false);
    clock.now += 60_000;
    await run('a', 5);
    expect(statements.has('a')).toBe(true);
  }
});

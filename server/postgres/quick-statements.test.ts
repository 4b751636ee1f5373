import { expect, test } from 'vitest';
import { QuickStatements } from './quick-statements.ts';

function setUp() {
  const clock = { now: 1_000 };
  const statements = new QuickStatements({ now: () => clock.now });
  const standing = (name: string) => [statements.isQuick(name), statements.isSlow(name)];
  return { clock, statements, standing };
}
const NEITHER = [false, false];
const QUICK = [true, false];
const SLOW = [false, true];

test('a statement is quick only after it has run quickly', () => {
  const { statements, standing } = setUp();
  expect(standing('a')).toEqual(NEITHER);
  statements.wasQuick('a');
  expect([standing('a'), standing('b')]).toEqual([QUICK, NEITHER]);
});

test('a slow statement stays slow for a minute, even if it runs quickly in between', () => {
  const { clock, statements, standing } = setUp();
  statements.wasQuick('a');
  statements.wasSlow('a');
  statements.wasQuick('a');
  expect(standing('a')).toEqual(SLOW);
  clock.now += 59_999;
  expect(standing('a')).toEqual(SLOW);
  clock.now += 1;
  expect(standing('a')).toEqual(NEITHER);
  statements.wasQuick('a');
  expect(standing('a')).toEqual(QUICK);
});

import { expect, test } from 'vitest';
import { RecentEntries } from './recent-entries.ts';

test('a key keeps its value, and beyond the bound the least recently used key is dropped', () => {
  const entries = new RecentEntries(2, () => ({ count: 0 }));
  entries.use('a').count += 1;
  entries.use('b').count += 1;
  entries.use('a').count += 1;
  entries.use('c');
  expect([entries.peek('a')?.count, entries.peek('b'), entries.peek('c')?.count]).toEqual([2, undefined, 0]);
});

test('looking at a value does not keep it', () => {
  const entries = new RecentEntries(2, () => 0);
  entries.use('a');
  entries.use('b');
  entries.peek('a');
  entries.use('c');
  expect(entries.peek('a')).toBeUndefined();
});

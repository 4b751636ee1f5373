import { expect, it } from 'vitest';
import type { Item } from '#app/data/items.ts';
import { orderItems } from './item-grid.tsx';

// The function reads only these fields.
const item = (id: string, lostAt: string | null = null) => ({ id, lostAt }) as Item;

it('puts items with news first, the newest of them before the others, then lost items, and keeps the order of the rest', () => {
  const items = [item('a'), item('b', '2026-11-21T10:00:00Z'), item('c'), item('d'), item('e', '2026-11-20T10:00:00Z')];
  const ordered = orderItems(
    items,
    new Map([
      ['e', 2],
      ['d', 1],
    ]),
  );
  expect(ordered.map(({ id }) => id)).toEqual(['e', 'd', 'b', 'a', 'c']);
});

it('leaves items without news as they are', () => {
  const items = [item('a'), item('b')];
  expect(orderItems(items, new Map())).toEqual(items);
});

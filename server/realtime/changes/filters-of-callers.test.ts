import { expect, test } from 'vitest';
import { createChannel } from '#tests/support/create-channel.ts';
import { REALTIME_LIMITS } from '../limits.ts';
import { FiltersOfCallers } from './filters-of-callers.ts';
import type { Subscription } from './subscription.ts';

const MOST = REALTIME_LIMITS.filtersPerCaller;

const filtered = (...texts: readonly string[]): Subscription[] =>
  texts.map((filterText, id) => ({
    id,
    event: '*',
    schema: 'public',
    table: 'items',
    filter: [],
    filterText,
    prefilter: () => true,
    select: null,
  }));

test('a caller at an address has so many different filters; equal ones count once, and those of closed channels not [K50]', () => {
  const filters = new FiltersOfCallers();
  const channels = Array.from({ length: MOST }, (_, id) => createChannel({ id, userId: 'dana' }));
  const held = channels.map((channel, at) => filters.hold(channel, 'a', filtered(`item_name=like.${at}*`)));
  expect(held).not.toContain(false);
  const next = createChannel({ userId: 'dana' });
  expect(filters.hold(next, 'a', filtered('item_name=like.more*'))).toBe(false);
  expect(filters.hold(next, 'a', filtered('item_name=like.0*'))).toBe(true);
  expect(filters.hold(next, 'b', filtered('item_name=like.more*')), 'another address').toBe(true);
  expect(filters.hold(createChannel({ userId: 'noam' }), 'a', filtered('item_name=like.more*'))).toBe(true);

  const [first] = channels;
  if (first === undefined) throw new Error('There is no channel.');
  filters.release(first);
  filters.release(first);
  expect(filters.hold(next, 'a', filtered('item_name=like.more*')), 'in place of a closed one').toBe(true);
  expect(filters.hold(first, 'a', filtered('item_name=like.0*'))).toBe(false);
});

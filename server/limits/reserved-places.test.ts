import { expect, test } from 'vitest';
import { NoPlaceFree, ReservedPlaces } from './reserved-places.ts';

type Kind = 'reads' | 'writes' | 'reports';

/** Reads and writes have a place each, and reports two of the others at most. */
function placesFor(places: number, waitMs = 5_000) {
  const kinds = {
    reads: { own: 1, most: places },
    writes: { own: 1, most: places },
    reports: { own: 0, most: 2 },
  };
  const reserved = new ReservedPlaces<Kind>({ kinds, places, waitMs });
  const began: string[] = [];
  const take = (kind: Kind, name: string = kind) => {
    const waiting = reserved.take(kind);
    if (waiting === undefined) began.push(name);
    const begun = waiting?.then(() => void began.push(name)) ?? Promise.resolve();
    // Those that still wait when their test is done are refused while another one runs.
    begun.catch(() => undefined);
    return begun;
  };
  return { reserved, began, take };
}

test('one kind takes all places but the one of the other kind, which is served at once', () => {
  const { reserved, began, take } = placesFor(4);
  for (let count = 0; count < 5; count += 1) void take('reads');
  expect(began).toEqual(['reads', 'reads', 'reads']);
  expect(reserved.usage('reads')).toEqual({ taken: 3, waiting: 2 });
  void take('writes');
  expect(reserved.usage('writes')).toEqual({ taken: 1, waiting: 0 });
});

test('a kind has no more than its most, and without a place of its own it takes none of another’s', () => {
  const { reserved, take } = placesFor(6);
  for (let count = 0; count < 3; count += 1) void take('reports');
  expect(reserved.usage('reports')).toEqual({ taken: 2, waiting: 1 });
  for (let count = 0; count < 3; count += 1) void take('reads');
  expect(reserved.usage('reads')).toEqual({ taken: 3, waiting: 0 });
  reserved.giveBack('reports');
  expect(reserved.usage('reports'), 'passed on to the one that waited').toEqual({ taken: 2, waiting: 0 });
  void take('writes');
  expect(reserved.usage('writes')).toEqual({ taken: 1, waiting: 0 });
});

test('a place that is returned goes to the longest waiting request that may have it', async () => {
  const { reserved, began, take } = placesFor(3);
  for (const kind of ['reads', 'reads', 'writes'] as const) void take(kind);
  void take('writes', 'second write');
  void take('reads', 'third read');
  reserved.giveBack('reads');
  await expect.poll(() => began).toEqual(['reads', 'reads', 'writes', 'second write']);
  // Reads have their own place left; the spare one is with the writes.
  reserved.giveBack('reads');
  await expect.poll(() => began.at(-1)).toBe('third read');
});

test('a kind’s own place goes to that kind, however long others have waited', async () => {
  const { reserved, began, take } = placesFor(2);
  for (const kind of ['reads', 'writes'] as const) void take(kind);
  void take('writes', 'second write');
  void take('reads', 'second read');
  reserved.giveBack('reads');
  await expect.poll(() => began).toEqual(['reads', 'writes', 'second read']);
});

test('a request that waits too long is refused, and takes no place afterwards', async () => {
  const { reserved, take } = placesFor(2, 5);
  await take('reads');
  await expect(take('reads')).rejects.toThrow(NoPlaceFree);
  reserved.giveBack('reads');
  expect(reserved.usage('reads')).toEqual({ taken: 0, waiting: 0 });
});

import { expect, test } from 'vitest';
import type { Statement, StatementResult } from '#server/postgres/statement.ts';
import { FoundItems } from './item-cache.ts';

/** A database whose responses the test gives, one per read. */
function slowDatabase() {
  const waiting: ((item: string | null) => void)[] = [];
  return {
    waiting,
    readAsVisitor: <Row>(_: Statement) =>
      new Promise<StatementResult<Row>>((resolve) => {
        // The one column that the statement under test has.
        waiting.push((item) => resolve({ rows: [{ item } as Row], rowCount: 1 }));
      }),
  };
}

const noRepair = async () => {};

function setUp() {
  const database = slowDatabase();
  const clock = { now: 0 };
  return {
    database,
    clock,
    items: new FoundItems({ database, repairOwner: noRepair, now: () => clock.now, mostBytes: 1_000_000 }),
  };
}

const named = (name: string) => JSON.stringify({ item_name: name });

test('simultaneous requests for an item share one read', async () => {
  const { database, items } = setUp();
  const asked = [items.find('a'), items.find('a'), items.find('a')];
  expect(database.waiting).toHaveLength(1);
  database.waiting[0]?.(named('Keys'));
  const responses = await Promise.all(asked);
  expect(responses[0]?.item.item_name).toBe('Keys');
  expect(responses[1]).toBe(responses[0]);
});

test('a result that was loading when the item changed is not cached', async () => {
  const { database, items } = setUp();
  const before = items.find('a');
  items.drop('a');
  const after = items.find('a');
  expect(database.waiting).toHaveLength(2);
  database.waiting[1]?.(named('New'));
  expect((await after)?.item.item_name).toBe('New');
  // The older response arrives last and must not win.
  database.waiting[0]?.(named('Old'));
  expect((await before)?.item.item_name).toBe('Old');
  expect((await items.find('a'))?.item.item_name).toBe('New');
});

test('cached data is trusted for four seconds, and not at all after the clock was set back', async () => {
  const { database, clock, items } = setUp();
  const ask = async () => {
    const before = database.waiting.length;
    const found = items.find('a');
    const isRead = database.waiting.length > before;
    database.waiting.at(-1)?.(named('Keys'));
    await found;
    return isRead;
  };
  expect(await ask()).toBe(true);
  clock.now = 3_999;
  expect(await ask()).toBe(false);
  clock.now = 4_000;
  expect(await ask()).toBe(true);
  clock.now = 1_000;
  expect(await ask()).toBe(true);
});

test('when notifications may have been missed, nothing cached is trusted', async () => {
  const { database, items } = setUp();
  const first = items.find('a');
  database.waiting[0]?.(named('Keys'));
  await first;
  const underWay = items.find('b');
  items.dropAll();
  database.waiting[1]?.(named('Bag'));
  await underWay;
  void items.find('a');
  void items.find('b');
  expect(database.waiting).toHaveLength(4);
});

test('an item that was read again unchanged keeps its documents', async () => {
  const { database, clock, items } = setUp();
  const first = items.find('a');
  database.waiting[0]?.(named('Keys'));
  const entry = await first;
  clock.now += 10_000;
  const again = items.find('a');
  database.waiting[1]?.(named('Keys'));
  expect(await again).toBe(entry);
});

test('a code without an item is looked up every time', async () => {
  const { database, items } = setUp();
  const first = items.find('a');
  database.waiting[0]?.(null);
  expect(await first).toBeNull();
  void items.find('a');
  expect(database.waiting).toHaveLength(2);
});

test('a failed read is not cached', async () => {
  let reads = 0;
  const items = new FoundItems({
    database: {
      readAsVisitor: async () => {
        reads += 1;
        throw new Error('away');
      },
    },
    repairOwner: noRepair,
    now: () => 0,
    mostBytes: 1_000_000,
  });
  await expect(items.find('a')).rejects.toThrow('away');
  await expect(items.find('a')).rejects.toThrow('away');
  expect(reads).toBe(2);
});

/** Items whose reads are counted and complete at once. */
function manyItems(mostBytes: number) {
  const seen = { reads: 0 };
  const items = new FoundItems({
    database: {
      readAsVisitor: async <Row>() => {
        seen.reads += 1;
        return { rows: [{ item: named('Keys') } as Row], rowCount: 1 };
      },
    },
    repairOwner: noRepair,
    now: () => 0,
    mostBytes,
  });
  const isKnown = async (code: string) => {
    const before = seen.reads;
    await items.find(code);
    return seen.reads === before;
  };
  /** Reads an item and caches a document of this many bytes. */
  const show = async (code: string, bytes: number) => {
    const entry = await items.find(code);
    if (entry !== null) items.keepDocument(entry, 'plain', { bytes: new Uint8Array(bytes), etag: '""' });
  };
  return { items, isKnown, show };
}

test('memory is bounded: the least recently used item is removed first, with its documents', async () => {
  const { items, isKnown, show } = manyItems(1_000_000);
  for (let index = 0; index < 100; index += 1) {
    await show(`code-${index}`, 50_000);
    expect(items.bytes).toBeLessThanOrEqual(1_000_000);
  }
  expect(items.bytes).toBeGreaterThan(900_000);
  expect(await isKnown('code-99')).toBe(true);
  expect(await isKnown('code-85')).toBe(true);
  expect(await isKnown('code-75')).toBe(false);
});

test('items without a document count as well', async () => {
  const { items, isKnown } = manyItems(1_000_000);
  for (let index = 0; index < 5_000; index += 1) await items.find(`code-${index}`);
  expect(items.bytes).toBeLessThanOrEqual(1_000_000);
  expect(await isKnown('code-4999')).toBe(true);
  expect(await isKnown('code-0')).toBe(false);
});

test('a dropped entry no longer counts', async () => {
  const { items, show } = manyItems(1_000_000);
  await show('a', 1_000);
  const one = items.bytes;
  await show('b', 1_000);
  items.drop('b');
  expect(items.bytes).toBe(one);
});

test('a document of an item that changed meanwhile is not cached', async () => {
  const { items, show } = manyItems(1_000_000);
  const entry = await items.find('a');
  items.drop('a');
  await show('a', 0);
  const { bytes } = items;
  if (entry !== null) items.keepDocument(entry, 'sent', { bytes: new Uint8Array(1_000), etag: '""' });
  expect(items.bytes).toBe(bytes);
});

test('without memory nothing is cached, and every request gets its response', async () => {
  const { items, isKnown, show } = manyItems(0);
  await show('a', 1_000);
  expect(items.bytes).toBe(0);
  expect(await isKnown('a')).toBe(false);
});

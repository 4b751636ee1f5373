import { afterAll, expect, test } from 'vitest';
import { boundLimitCounts } from '#server/limits/bound-limit-counts.ts';
import { LIMIT_NAMES } from '#server/limits/limits.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { collectRefusals, policyOf } from '#server/limits/refused-by.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();

const opened = openDatabase({ address: database.address, log: quietLog });
afterAll(() => opened.close());

/** Adds counts that expire one after the other, a millisecond each, from that moment on. */
const addCounts = (name: string, count: number, from: number) =>
  database.query(
    'insert into internal.rate_limits (key, points, expire) select $1 || n, 1, $3::bigint + n from generate_series(1, $2::int) as n',
    [name, count, from],
  );
const names = () =>
  database.query(
    "select split_part(key, ':', 1) as name, count(*)::int, min(split_part(key, ':', 2)::int) as first from internal.rate_limits group by 1 order by 1",
  );

test('counts that expired an hour ago are removed, however many they are', async () => {
  const hour = 3_600_000;
  await addCounts('old:', 12_000, Date.now() - hour - 20_000);
  await addCounts('recent:', 3, Date.now() - hour + 60_000);
  await boundLimitCounts(opened);
  expect(await names()).toEqual([{ name: 'recent', count: 3, first: 1 }]);
});

test('beyond the bound the counts that expire first are removed', async () => {
  await addCounts('crowd:', 12_000, Date.now());
  await boundLimitCounts(opened, 100);
  expect(await names()).toEqual([{ name: 'crowd', count: 100, first: 11_901 }]);
});

test.each(LIMIT_NAMES)(
  'a refusal by %s names it with its figures, where it is counted and where it is looked at',
  async (name) => {
    const changed = new Map([[name, { points: 1, seconds: 60 }]]);
    const limits = createRateLimits({ database: opened, log: quietLog, changed });
    expect(await collectRefusals(async () => void (await limits.take(name, 'a key')))).toEqual([]);
    const counted = await collectRefusals(async () => void (await limits.take(name, 'a key')));
    const lookedAt = await collectRefusals(async () => void (await limits.peek([name, 'a key'])));
    expect([counted, lookedAt].map(policyOf)).toEqual([`"${name}";q=1;w=60`, `"${name}";q=1;w=60`]);
  },
);

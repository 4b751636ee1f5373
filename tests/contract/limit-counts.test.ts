import { expect, test } from 'vitest';
import { boundLimitCounts } from '#server/limits/bound-limit-counts.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const database = await createTestDatabase();

test('beyond the bound the counts that expire first are removed', async () => {
  await database.query(
    "insert into internal.rate_limits (key, points, expire) select 'crowd:' || n, 1, 1000 + n from generate_series(1, 70000) as n",
  );
  const opened = openDatabase({ address: database.address, log: quietLog });
  await boundLimitCounts(opened, 100);
  await opened.close();
  expect(await database.query('select count(*)::int, min(expire)::int from internal.rate_limits')).toEqual([
    { count: 100, min: 70_901 },
  ]);
});

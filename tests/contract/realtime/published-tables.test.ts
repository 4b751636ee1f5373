import { expect, test } from 'vitest';
import { openDatabase } from '#server/postgres/database.ts';
import { PublishedTables } from '#server/realtime/changes/published-tables.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const own = await createTestDatabase();

test('a table’s description for a role is cached for ten seconds, and not used after the clock was set back', async () => {
  const database = openDatabase({ address: own.address, log: quietLog });
  whenDone(() => database.close());
  const clock = { now: 100_000 };
  const tables = new PublishedTables(database, () => clock.now);
  const mayReadNames = async () => {
    const table = await tables.describe('public', 'items', 'authenticated');
    return table?.columns.find(({ name }) => name === 'item_name')?.readable;
  };
  expect(await mayReadNames()).toBe(true);
  await own.query('revoke select on public.items from authenticated');
  clock.now += 9_999;
  expect(await mayReadNames()).toBe(true);
  clock.now -= 3_600_000;
  expect(await mayReadNames()).toBe(false);
  await own.query('grant select on public.items to authenticated');
  clock.now += 10_000;
  expect(await mayReadNames()).toBe(true);
});

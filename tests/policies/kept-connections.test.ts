import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/postgres/database.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const own = await createTestDatabase();
const MINUTE = 60_000;

test('an hour later a call, a count and a job use the connections they used before, and those of a crowd are closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  whenDone(() => vi.useRealTimers());
  const database = openDatabase({ address: own.address, log: quietLog });
  whenDone(() => database.close());
  const text = 'select pg_backend_pid() as session';
  const sessionsOf = async (calls: readonly Promise<{ rows: { session: number }[] }>[]) =>
    (await Promise.all(calls)).map(({ rows }) => rows[0]?.session);
  const ask = () =>
    sessionsOf([database.asService({ text }), database.countLimits({ text }), database.asOwner({ text })]);

  const before = await ask();
  vi.advanceTimersByTime(MINUTE);
  expect(await ask()).toEqual(before);
  const slow = `${text} from pg_sleep(0.1)`;
  // The service has three at once.
  const crowd = new Set(await sessionsOf(Array.from({ length: 4 }, () => database.asService({ text: slow }))));
  expect(crowd.size).toBe(3);
  vi.advanceTimersByTime(60 * MINUTE);
  expect(database.usage().find(({ pool }) => pool === 'for_any_call')?.idle).toBe(1);
  const [call, ...others] = await ask();
  expect(crowd).toContain(call);
  expect(others).toEqual(before.slice(1));
});

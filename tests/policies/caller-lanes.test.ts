import type { PoolClient } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { VISITOR } from '#server/postgres/caller.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { Lane } from '#server/postgres/lane.ts';
import { sendOpened } from '#server/postgres/opened-query.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const testDatabase = await createTestDatabase();
await testDatabase.query(`
  create table public.shelves (id int primary key);
  grant select on public.shelves to anon;
`);
const database = openDatabase({ address: testDatabase.address, log: quietLog });
afterAll(() => database.close());

/** A connection that holds what the others are to wait for. */
async function holding(lock: string): Promise<PoolClient & { letGo(): Promise<unknown> }> {
  const client = await testDatabase.pool.connect();
  whenDone(() => client.release());
  await client.query(`begin; ${lock}`);
  return Object.assign(client, { letGo: () => client.query('rollback') });
}

/** How many statements wait for a lock. */
const waiting = async () => {
  const [row] = await testDatabase.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count;
};

describe('a lane', () => {
  function openLane(connections: number, full: number) {
    const clock = { now: 0 };
    const lane = new Lane(
      { ...testDatabase.address, silentAfterMs: 60_000 },
      { connections, full, now: () => clock.now },
    );
    whenDone(() => lane.close());
    const pass = (lock: number) =>
      lane.send<string>(
        (client, done) =>
          void client.query(
            { name: 'pass', text: 'select pg_advisory_xact_lock($1)', values: [lock] },
            (error: Error | null) => done(error, 'shared'),
          ),
        async () => 'alone',
      );
    return { clock, lane, pass };
  }

  test('with every connection full, or held up for 20 ms, a call runs by itself', async () => {
    const { clock, pass } = openLane(2, 2);
    const held = await holding('select pg_advisory_xact_lock(1)');
    const behind = [pass(1), pass(1), pass(1)];
    clock.now += 20;
    expect(await pass(2)).toBe('alone');
    clock.now -= 20;
    behind.push(pass(1));
    expect(await pass(2)).toBe('alone');
    await held.letGo();
    expect(await Promise.all(behind)).toEqual(Array(4).fill('shared'));
    expect(await pass(2)).toBe('shared');
  });

  test('a connection that was held up gets no more calls before it has finished the earlier ones', async () => {
    const { clock, pass } = openLane(1, 16);
    const first = await holding('select pg_advisory_xact_lock(1)');
    const second = await holding('select pg_advisory_xact_lock(2)');
    const behind = [pass(1), pass(2)];
    clock.now += 20;
    await first.letGo();
    expect(await behind[0]).toBe('shared');
    expect(await pass(3)).toBe('alone');
    await second.letGo();
    expect(await behind[1]).toBe('shared');
    expect(await pass(3)).toBe('shared');
  });

  test('a call that fails because another one’s statement could not be prepared runs by itself', async () => {
    const { lane } = openLane(1, 16);
    const statement = { name: 'one', text: 'select 1 as one' };
    const ask = (role: string, onResponse = () => {}) => {
      const opening = { name: 'open', text: `select set_config('role', $1, true)`, values: [role] };
      return lane.send<unknown>(
        (client, done) =>
          sendOpened(client, [opening], statement, (error, result) => {
            onResponse();
            done(error, error === null ? result.rows : result);
          }),
        async () => 'alone',
      );
    };
    const later: Promise<unknown>[] = [];
    const askLater = () => void later.push(ask('anon'));
    // The first call is to prepare the statement and fails before; the second finds it missing. The call in between
    // prepares it, and so does the last, because the second call's failure made the driver forget it.
    const failing = expect(ask('no_such_role', askLater)).rejects.toMatchObject({ code: '22023' });
    expect(await ask('anon', askLater)).toBe('alone');
    await failing;
    expect(await Promise.all(later)).toEqual([[{ one: 1 }], 'alone']);
  });
});

const COUNT = { name: 'count_shelves', text: 'select count(*)::int as count from public.shelves', values: [] };

describe('reads that take long', () => {
  test('visitors’ calls that wait for a lock each run by themselves, and finish when it is released', async () => {
    // A visitor's statement ends after a second.
    await inSomeAttempt(async () => {
      const held = await holding('lock table public.shelves');
      const settled = Promise.allSettled([1, 2, 3].map(() => database.readAsVisitor(COUNT)));
      try {
        await expect.poll(() => waiting(), { timeout: 1_000, interval: 20 }).toBe(3);
      } finally {
        await held.letGo();
        await settled;
      }
      const rows = (await settled).map((read) => (read.status === 'fulfilled' ? read.value.rows : read.reason));
      expect(rows).toEqual(Array(3).fill([{ count: 0 }]));
    });
  });

  test('a visitor’s read that is run by itself is still a visitor’s, and only a read', async () => {
    const asked = database.readAsVisitor({
      name: 'who',
      // 0.2 s are more than a shared connection has.
      text: `select current_setting('transaction_read_only') as read_only, current_user::text as role,
        current_setting('request.jwt.claims')::json as claims from pg_sleep(0.2)`,
    });
    expect((await asked).rows).toEqual([{ read_only: 'on', role: 'anon', claims: VISITOR.claims }]);
  });
});

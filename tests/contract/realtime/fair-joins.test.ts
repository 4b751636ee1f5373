import { expect, test } from 'vitest';
import { REALTIME_LIMITS } from '#server/realtime/limits.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { hear } from './hear.ts';

const database = await createTestDatabase();
const server = await startTestServer(database);
// As an operator's own policy may take long for topics that a client names.
await database.query(`create policy "slowly" on realtime.messages for select to authenticated
  using (case when realtime.topic() like 'slow %' then (select true from pg_sleep(1)) else true end)`);

const clientOf = async ({ id }: { readonly id: string }) => server.client({ token: await server.token({ sub: id }) });
const sleeping = async () => {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
  );
  return row?.count;
};

test('slow joins of one account hold one place: another account joins at once [H53]', async () => {
  const greedy = await createOwner(database);
  const other = await clientOf(await createOwner(database));
  let joined = 0;
  const slow = Array.from({ length: REALTIME_LIMITS.joinsAtOnce }, async (_, number) => {
    // Those of one socket come one after the other.
    await hear(await clientOf(greedy), `slow ${number}`, { private: true }).then(
      () => (joined += 1),
      // The client gives up after a while.
      () => undefined,
    );
  });
  await expect.poll(sleeping, { interval: 20 }).toBe(1);
  await hear(other, 'quick', { private: true });
  expect(joined, 'those still wait').toBe(0);
  expect(await sleeping()).toBe(1);
  await Promise.all(slow);
  expect(joined).toBeGreaterThan(0);
});

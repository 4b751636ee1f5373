import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '#server/postgres/caller.ts';
import { CALL_SHARES } from '#server/postgres/database.ts';
import { DEFAULT_CONNECTIONS } from '#server/postgres/divide-connections.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './rest/support/start-rest-server.ts';

const { visitors, callers } = CALL_SHARES;
const database = await createTestDatabase();
const server = await startRestServer(database);
const createOwners = (length: number) => Promise.all(Array.from({ length }, () => createOwner(database)));
const reader = await createOwner(database);
const { qrId } = await createItem(database, reader);

await database.query(`
  create function public.wait(seconds float8) returns int language sql as 'select 1 from pg_sleep(seconds)';
  create function public.quick_read() returns int stable language sql as 'select 1';
  grant execute on function public.wait, public.quick_read to anon, authenticated;
`);

/** The connections of the server, not those of this test. */
async function connections(): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
       where datname = current_database() and application_name like 'reunite%'`,
  );
  return row?.count ?? 0;
}

const waiting = async () =>
  (
    await database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep' and query like '%seconds%'`,
    )
  ).length;

const wait = (seconds: number, init: object) =>
  server.call('/rpc/wait', { method: 'POST', body: JSON.stringify({ seconds }), ...init });
const post = (path: string, body: object) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': anAddress() },
    body: JSON.stringify(body),
  });

let most = 0;
let counting = true;
let counted: Promise<void>;
beforeAll(() => {
  counted = (async () => {
    while (counting) most = Math.max(most, await connections());
  })();
});
afterAll(() => {
  counting = false;
});

test('while slow calls have every connection that they can have, all else is served, over the connections it has', async () => {
  const read = (as: Caller) => server.call('/rpc/quick_read', { as });
  // On a busy machine the slow calls can be over before the others were served.
  await inSomeAttempt(async () => {
    await expect.poll(waiting).toBe(0);
    const owners = await createOwners(8);
    const visits = owners.map(() => wait(3, { address: anAddress() }));
    const writes: ReturnType<typeof wait>[] = [];
    try {
      await expect.poll(waiting).toBe(visitors.connections);
      writes.push(...owners.map((owner) => wait(2, { as: owner.caller })));
      // One is left to the service.
      await expect.poll(waiting).toBe(visitors.connections + callers.connections);

      const served = await Promise.all([
        fetch(`${server.url}/health/ready`),
        // Counts of limits, and the service's own statements.
        ...Array.from({ length: 8 }, (_, index) =>
          post('/auth/v1/token?grant_type=password', {
            email: `none-${index}@example.com`,
            password: 'no such account',
          }),
        ),
        ...owners.map(() => server.call(`/rpc/find_item?qr_id_param=${qrId}`)),
      ]);
      expect(served.map(({ status }) => status)).toEqual([200, ...Array(8).fill(400), ...Array(8).fill(200)]);
      expect(await waiting(), 'meanwhile the slow calls went on').toBeGreaterThan(1);
      const reads = owners.map((owner) => read(owner.caller));
      for (const { status } of await Promise.all([...writes, ...reads])) expect(status).toBe(200);
    } finally {
      await Promise.allSettled([...visits, ...writes]);
    }
  });
  counting = false;
  await counted;
  expect(most).toBe(DEFAULT_CONNECTIONS);
});

import { afterAll, describe, expect, test } from 'vitest';
import type { Caller } from '#server/postgres/caller.ts';
import { checkConnections } from '#server/postgres/check-connections.ts';
import { type Database, openDatabase } from '#server/postgres/database.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { startPgBouncer } from '#tests/support/clusters/start-pgbouncer.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const testDatabase = await createTestDatabase();
const owners = await Promise.all(Array.from({ length: 4 }, () => createOwner(testDatabase)));
const [owner] = owners as [TestOwner, ...TestOwner[]];
const item = await createItem(testDatabase, owner);

const SERVICE: Caller = { role: 'service_role', claims: { role: 'service_role' } };
const WHO = {
  name: 'who',
  text: `select current_user::text as role, auth.uid() as id, current_setting('transaction_read_only') as read_only,
    current_setting('statement_timeout') as time_limit, current_setting('timezone') as timezone,
    current_setting('reunite.account_items') as items, nullif(current_setting('request.method', true), '') as method,
    (select count(*)::int from public.items) as items_seen, $1::text as given`,
};
const everywhere = { timezone: 'UTC', items: '77' };

function open(pooler: typeof testDatabase.address): Database {
  const database = openDatabase({ address: testDatabase.address, pooler, itemsPerAccount: 77, log: quietLog });
  afterAll(() => database.close());
  return database;
}

/** Each call must have its own role, claims, and settings, whatever session it gets. */
function expectOwnIdentities(opened: () => Database): void {
  const who = async (as: Caller, given: string, options = {}) =>
    (await opened().asCaller(as, { ...WHO, values: [given] }, options)).rows[0];

  test('simultaneous calls of many accounts each have their own role, claims, and settings', async () => {
    const calls = Array.from({ length: 120 }, (_, at) => {
      const given = `call ${at}`;
      const asOwner = owners[at % owners.length] ?? owner;
      const seen = { ...everywhere, given, method: null };
      switch (at % 5) {
        case 0:
          return [
            opened()
              .readAsVisitor({ ...WHO, values: [given] })
              .then(({ rows }) => rows[0]),
            { ...seen, role: 'anon', id: null, read_only: 'on', items_seen: 0 },
          ];
        case 1:
          return [
            opened()
              .asService({ ...WHO, values: [given] })
              .then(({ rows }) => rows[0]),
            { ...seen, role: 'service_role', id: null, time_limit: '15s', items_seen: 1 },
          ];
        case 2:
          return [
            opened().transactAsCaller(asOwner.caller, async ({ query }) => {
              await query({ ...WHO, values: ['first'] });
              return (await query({ ...WHO, values: [given] })).rows[0];
            }),
            { ...seen, role: 'authenticated', id: asOwner.id, time_limit: '4s' },
          ];
        case 3:
          return [
            who(asOwner.caller, given, { readOnly: true, settings: { 'request.method': 'GET' } }),
            { ...seen, role: 'authenticated', id: asOwner.id, read_only: 'on', method: 'GET' },
          ];
        default:
          return [who(SERVICE, given), { ...seen, role: 'service_role', id: null, time_limit: '4s', items_seen: 1 }];
      }
    }) as (readonly [Promise<unknown>, object])[];
    for (const [call, expected] of calls) expect(await call).toMatchObject(expected);
    expect(await who(owner.caller, 'own')).toMatchObject({ items_seen: 1 });
  });

  test('a call that fails leaves nothing behind', async () => {
    const failing = { text: 'select 1 / 0' };
    for (let count = 0; count < 8; count += 1) {
      const calls = [opened().asCaller(owner.caller, failing), opened().asService(failing)];
      for (const call of calls.map((made) => expect(made).rejects.toMatchObject({ code: '22012' }))) await call;
      expect(await who(SERVICE, 'next')).toMatchObject({ role: 'service_role', id: null });
    }
    const slow = opened().readAsVisitor({ name: 'sleep', text: 'select pg_sleep(5)' });
    await expect(slow).rejects.toMatchObject({ code: '57014' });
  });

  test('the connections are accepted at the start', () => checkConnections(opened()));
}

describe('calls that set all of their settings themselves', () => {
  const database = open(testDatabase.address);
  expectOwnIdentities(() => database);
});

const isTried = process.env.PGBOUNCER !== undefined && thisCluster().engine === 'debian-15';

describe.skipIf(!isTried)('behind PgBouncer, with two sessions', async () => {
  if (!isTried) return;
  const pooler = await startPgBouncer(testDatabase.address, { folder: await temporaryFolder(), sessions: 2 });
  afterAll(() => pooler.kill());
  const database = open(pooler.address);
  expectOwnIdentities(() => database);

  test('no session keeps role, claims, or settings for the next call', async () => {
    await Promise.all(owners.map(({ caller }) => database.asCaller(caller, { ...WHO, values: ['before'] })));
    const clients = await Promise.all([1, 2].map(() => connectTo(pooler.address)));
    // Both sessions are in use at once.
    for (const client of clients) await client.query('begin');
    for (const client of clients) {
      const { rows } = await client.query(`select pg_backend_pid() as pid, current_user::text as role,
        coalesce(current_setting('request.jwt.claims', true), '') as claims,
        current_setting('statement_timeout') as time_limit, current_setting('transaction_read_only') as read_only`);
      expect(rows).toEqual([
        { pid: expect.any(Number), role: testDatabase.address.user, claims: '', time_limit: '0', read_only: 'off' },
      ]);
    }
    for (const client of clients) await client.query('rollback');
  });

  test('notifications, locks, and the job queue have sessions of their own', async () => {
    const heard: string[] = [];
    const stop = await database.listen('item_changed', { onPayload: (payload) => heard.push(payload) });
    await database.asCaller(owner.caller, {
      text: "update public.items set item_name = 'Renamed' where id = $1",
      values: [item.id],
    });
    await expect.poll(() => heard).toContain(item.qrId);
    const release = await database.holdLock('a lock of this test');
    await release();
    stop();
  });

  test('while it is away calls fail as they do without a database, and then go on', async () => {
    await pooler.kill();
    const failure = await database
      .asCaller(owner.caller, { ...WHO, values: ['away'] })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    await pooler.start();
    await expect
      .poll(() =>
        database.asCaller(owner.caller, { ...WHO, values: ['back'] }).then(
          ({ rows }) => rows,
          () => [],
        ),
      )
      .toMatchObject([{ id: owner.id }]);
  });
});

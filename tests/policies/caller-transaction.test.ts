import { afterAll, describe, expect, test } from 'vitest';
import type { Caller } from '#server/postgres/caller.ts';
import { openDatabase } from '#server/postgres/database.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

const testDatabase = await createTestDatabase();
await testDatabase.query(`
  create table public.pledges (
    id int primary key, after int references public.pledges deferrable initially deferred
  );
  grant select, insert on public.pledges to authenticated;
`);
// Calls that follow each other use the same connection, so each meets what the one before it has left behind.
const database = openDatabase({ address: testDatabase.address, log: quietLog });
afterAll(() => database.close());

const { caller, id } = await createOwner(testDatabase);
const WHO = {
  name: 'who',
  text: `select current_user::text as role, auth.uid() as id, current_setting('transaction_read_only') as read_only,
    nullif(current_setting('request.method', true), '') as method, $1::int as number`,
};
const who = async (as: Caller, number: number, options = {}) =>
  (await database.asCaller(as, { ...WHO, values: [number] }, options)).rows;
const standing = { role: 'authenticated', id, read_only: 'off', method: null };
const insert = (values: string) => ({ text: `insert into public.pledges values ${values} returning id` });

describe('a call as an account is one transaction', () => {
  test('role, claims and settings hold for its statement, and for none after it', async () => {
    const reading = { readOnly: true, settings: { 'request.method': 'GET' } };
    expect(await who(caller, 1, reading)).toEqual([{ ...standing, read_only: 'on', method: 'GET', number: 1 }]);
    expect(await who(caller, 2)).toEqual([{ ...standing, number: 2 }]);
    const service: Caller = { role: 'service_role', claims: { role: 'service_role' } };
    expect(await who(service, 3)).toEqual([{ ...standing, role: 'service_role', id: null, number: 3 }]);
  });

  test('simultaneous calls each get their own result', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const responses = await Promise.all(numbers.map((number) => who(caller, number)));
    expect(responses.flat().map(({ number }) => number)).toEqual(numbers);
  });

  test('read only is read only, and cannot be given up', async () => {
    const reading = { readOnly: true };
    await expect(database.asCaller(caller, insert('(1)'), reading)).rejects.toMatchObject({ code: '25006' });
    const leave = { text: `select set_config('transaction_read_only', 'off', true)` };
    await expect(database.asCaller(caller, leave, reading)).rejects.toMatchObject({ code: '25001' });
  });

  test('what fails leaves nothing behind, and the connection serves on', async () => {
    const divide = (by: number) =>
      database.asCaller(caller, { name: 'divide', text: 'select 6 / $1::int as part', values: [by] });
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect((await divide(2)).rows).toEqual([{ part: 3 }]);
    const unknown = () => database.asCaller(caller, { name: 'unknown', text: 'select 1 from nowhere' });
    for (let count = 0; count < 2; count += 1) await expect(unknown()).rejects.toMatchObject({ code: '42P01' });
    const half = {
      text: 'with made as (insert into public.pledges values (5) returning id) select 1 / (id - 5) from made',
    };
    await expect(database.asCaller(caller, half)).rejects.toMatchObject({ code: '22012' });
    expect(await testDatabase.query('select id from public.pledges')).toEqual([]);
  });

  test('without its role the statement never runs, and is prepared by the next call', async () => {
    const statement = { name: 'made_once', ...insert('(6)') };
    // A role that PostgreSQL refuses, which no caller of ours can have.
    const none = { role: 'no_such_role', claims: {} } as unknown as Caller;
    await expect(database.asCaller(none, statement)).rejects.toMatchObject({ code: '22023' });
    expect(await testDatabase.query('select id from public.pledges where id = 6')).toEqual([]);
    expect((await database.asCaller(caller, statement)).rows).toEqual([{ id: 6 }]);
  });

  test('a call resolves when it is committed, and not before', async () => {
    // What is only checked at the end fails the call that its statement had passed.
    await expect(database.asCaller(caller, insert('(7, 70)'))).rejects.toMatchObject({ code: '23503' });
    expect((await database.asCaller(caller, insert('(8, 8)'))).rows).toEqual([{ id: 8 }]);
    expect(await testDatabase.query('select id from public.pledges where id in (7, 8)')).toEqual([{ id: 8 }]);
  });

  test('with rollback it returns a result and stores nothing', async () => {
    expect((await database.asCaller(caller, insert('(9)'), { rollback: true })).rows).toEqual([{ id: 9 }]);
    expect(await testDatabase.query('select id from public.pledges where id = 9')).toEqual([]);
  });

  test('reads that share a connection have each their own caller and their own failure', async () => {
    const reading = { readOnly: true };
    const statement = { name: 'share', text: 'select auth.uid() as id, 6 / $1::int as part' };
    const ask = (as: Caller, by: number) => database.asCaller(as, { ...statement, values: [by] }, reading);
    // Known to be quick from here on.
    await ask(caller, 1);
    const others = await Promise.all([createOwner(testDatabase), createOwner(testDatabase)]);
    const responses = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => ask(others[index % 2]?.caller ?? caller, index % 3)),
    );
    expect(
      responses.map((response) => (response.status === 'fulfilled' ? response.value.rows[0] : response.reason.code)),
    ).toEqual(
      responses.map((_, index) => (index % 3 === 0 ? '22012' : { id: others[index % 2]?.id, part: 6 / (index % 3) })),
    );
  });

  test('its statement has the whole time limit, and no more', async () => {
    const wait = { text: 'select pg_sleep(0.4)' };
    const limited = { settings: { statement_timeout: '200' } };
    await expect(database.asCaller(caller, wait, limited)).rejects.toMatchObject({ code: '57014' });
    expect((await database.asCaller(caller, wait)).rows).toHaveLength(1);
  });
});

import { expect, test } from 'vitest';
import { openDatabase } from '#server/postgres/database.ts';
import { actAs, rehearse } from '#tests/support/act-as.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { whenDone } from '#tests/support/when-done.ts';

const database = await createTestDatabase();
const owner = await createOwner(database);
const IMPATIENT = "set local lock_timeout = '500ms'";

/** Locks the first row, starts the call, which must wait for that row, and then locks the second one. */
async function expectInOrder(table: 'items' | 'conversations', ids: readonly string[], text: string, value: unknown) {
  let call: Promise<unknown> = Promise.resolve();
  await rehearse(database, async (client) => {
    await client.query(IMPATIENT);
    const lock = (id: string | undefined) => client.query(`select from public.${table} where id = $1 for update`, [id]);
    await lock(ids[0]);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    call = actAs(database, owner.caller, (caller) => caller.query(text, [value]));
    call.catch(() => undefined);
    await expect
      .poll(() =>
        database.query(
          `select from pg_stat_activity where datname = current_database() and $1 = any (pg_blocking_pids(pid))`,
          [rows[0]?.pid],
        ),
      )
      .toHaveLength(1);
    await lock(ids[1]);
  });
  await call;
}

test('a stranger who claims a further code does not wait for the item, which its owner is changing', async () => {
  const item = await createItem(database, owner);
  const further = createTagCode();
  await actAs(database, owner.caller, (client) =>
    client.query('select public.attach_qr_code($1, $2)', [further, item.id]),
  );
  const stranger = await createOwner(database);
  await rehearse(database, async (client) => {
    await client.query('select from public.items where id = $1 for update', [item.id]);
    const claim = actAs(database, stranger.caller, async (caller) => {
      await caller.query(IMPATIENT);
      await caller.query('select public.register_qr_code($1, $2)', [further, stranger.id]);
    });
    await expect(claim).rejects.toMatchObject({ code: '23505' });
  });
});

test('conversations end in the order of their ids', async () => {
  const item = await createItem(database, owner);
  const rows = await database.query<{ id: string }>(
    `insert into public.conversations (id, item_id, owner_id)
       select id, $1, $2 from (select gen_random_uuid() as id from generate_series(1, 2)) as made order by id desc
       returning id`,
    [item.id, owner.id],
  );
  const ids = rows.map(({ id }) => id).reverse();
  await expectInOrder('conversations', ids, 'select public.take_back_item($1)', item.id);
});

test('items are saved in the order of their ids', async () => {
  const items = [await createItem(database, owner), await createItem(database, owner)];
  items.sort((one, other) => (one.id < other.id ? -1 : 1));
  const given = items.map(({ qrId }) => ({ qr_id: qrId, item_name: 'Saved' })).reverse();
  const ids = items.map(({ id }) => id);
  await expectInOrder('items', ids, 'select public.save_items($1)', JSON.stringify(given));
});

test('of two calls that wait for each other, the one that PostgreSQL ends runs again, once', async () => {
  await database.query(`
    create table public.rooms (id int primary key, entered int not null default 0);
    insert into public.rooms values (1), (2);
    create sequence public.attempts;
    grant select, update on public.rooms to authenticated;
    grant usage on sequence public.attempts to authenticated;
    create function public.enter_both(one int, other int) returns void language plpgsql as $$
    begin
      update public.rooms set entered = entered + 1 where id = one;
      perform pg_sleep(0.2);
      update public.rooms set entered = entered + 1 where id = other;
    end $$;
    create function public.meet_deadlock() returns void language plpgsql as $$
    begin
      perform nextval('public.attempts');
      raise 'A deadlock' using errcode = '40P01';
    end $$;
    grant execute on function public.enter_both(int, int), public.meet_deadlock() to authenticated;
  `);
  const served = openDatabase({ address: database.address, log: quietLog });
  whenDone(() => served.close());
  await Promise.all([
    served.asCaller(owner.caller, { text: 'select public.enter_both(1, 2)' }),
    served.asCaller(owner.caller, { text: 'select public.enter_both(2, 1)' }),
  ]);
  expect(await database.query('select id, entered from public.rooms order by id')).toEqual([
    { id: 1, entered: 2 },
    { id: 2, entered: 2 },
  ]);

  const call = served.asCaller(owner.caller, { text: 'select public.meet_deadlock()' });
  await expect(call).rejects.toMatchObject({ code: '40P01' });
  expect(await database.query('select last_value::int from public.attempts')).toEqual([{ last_value: 2 }]);
});

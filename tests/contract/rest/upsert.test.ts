import { beforeEach, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

await database.query(`
  create table public.shelves (
    id int primary key, place text unique, label text default 'empty', amount int, facts jsonb, "odd, name" text
  );
  create table public.heaps (word text);
  grant select, insert, update, delete on public.shelves, public.heaps to anon;
`);

beforeEach(async () => {
  await database.query(`truncate public.shelves, public.heaps`);
  await database.query(
    `insert into public.shelves (id, place, label, amount) values (1, 'left', 'old', 1), (2, 'right', 'old', 2)`,
  );
});

const shelves = () => database.query('select id, place, label, amount from public.shelves order by id');

test('merges with what is there by the primary key, and says whether it made a row', async () => {
  const visitor = await server.client();
  const both = await visitor
    .from('shelves')
    .upsert([
      { id: 1, label: 'new' },
      { id: 3, label: 'third' },
    ])
    .select('id, label');
  expect(both).toMatchObject({
    status: 201,
    data: [
      { id: 1, label: 'new' },
      { id: 3, label: 'third' },
    ],
  });
  const found = await visitor.from('shelves').upsert({ id: 1, amount: 9 }).select('amount').single();
  expect(found).toMatchObject({ status: 200, data: { amount: 9 } });
  expect((await visitor.from('shelves').upsert({ id: 2, amount: 8 })).status).toBe(201);
  expect(await shelves()).toEqual([
    { id: 1, place: 'left', label: 'new', amount: 9 },
    { id: 2, place: 'right', label: 'old', amount: 8 },
    { id: 3, place: null, label: 'third', amount: null },
  ]);
});

test('by the columns that onConflict names', async () => {
  const visitor = await server.client();
  const { data } = await visitor
    .from('shelves')
    .upsert({ id: 1, place: 'left', label: 'again' }, { onConflict: 'place' })
    .select('id, label')
    .single();
  expect(data).toEqual({ id: 1, label: 'again' });
  const other = await visitor.from('shelves').upsert({ id: 7, place: 'left' }, { onConflict: 'label' });
  // There is no key of that column.
  expect(other).toMatchObject({ status: 400, error: { code: '42P10' } });
  expect((await visitor.from('shelves').upsert({ id: 1 }, { onConflict: 'nope' })).error?.code).toBe('PGRST204');
});

test('ignores existing rows, and returns the rows it created', async () => {
  const visitor = await server.client();
  const { data, status } = await visitor
    .from('shelves')
    .upsert(
      [
        { id: 1, label: 'lost' },
        { id: 4, label: 'made' },
      ],
      { ignoreDuplicates: true },
    )
    .select('id, label');
  expect([status, data]).toEqual([201, [{ id: 4, label: 'made' }]]);
  expect(await shelves()).toContainEqual({ id: 1, place: 'left', label: 'old', amount: 1 });
});

test('a missing key is the default of a new row where that is requested', async () => {
  const visitor = await server.client();
  const rows = [
    { id: 5, amount: 5 },
    { id: 6, label: 'given' },
  ];
  await visitor.from('shelves').upsert(rows, { defaultToNull: false });
  expect((await shelves()).slice(2)).toEqual([
    { id: 5, place: null, label: 'empty', amount: 5 },
    { id: 6, place: null, label: 'given', amount: null },
  ]);
});

test('a table without a key takes every row', async () => {
  const visitor = await server.client();
  for (const word of ['a', 'a']) expect((await visitor.from('heaps').upsert({ word })).status).toBe(201);
  expect(await database.query('select word from public.heaps')).toHaveLength(2);
});

test('columns= says which keys count', async () => {
  const body = JSON.stringify([{ id: 1, label: 'kept out', amount: 50 }]);
  const response = await server.call('/shelves?columns=id,amount', {
    method: 'POST',
    body,
    headers: { Prefer: 'resolution=merge-duplicates' },
  });
  expect([response.status, response.headers.get('preference-applied')]).toEqual([201, 'resolution=merge-duplicates']);
  expect(await shelves()).toContainEqual({ id: 1, place: 'left', label: 'old', amount: 50 });
});

test('an upsert cannot take over another account’s row', async () => {
  const [owner, other] = [await createOwner(database), await createOwner(database)];
  const item = await createItem(database, owner);
  const before = await database.query('select * from public.items where id = $1', [item.id]);
  const client = await server.client(other.caller);
  const row = { qr_id: item.qrId, item_type: 'keys', item_name: 'Mine now' };
  for (const options of [
    { onConflict: 'qr_id' },
    { onConflict: 'id' },
    { onConflict: 'qr_id', ignoreDuplicates: true },
  ]) {
    const { error, data } = await client
      .from('items')
      .upsert({ ...row, user_id: other.id }, options)
      .select();
    expect(error !== null || data?.length === 0).toBe(true);
    await client.from('items').upsert({ ...row, id: item.id, user_id: owner.id }, options);
    await (await server.client()).from('items').upsert(row, options);
  }
  expect(await database.query('select * from public.items where id = $1', [item.id])).toEqual(before);
  expect(await database.query('select 1 from public.items where user_id = $1', [other.id])).toEqual([]);
});

test('headers-only: where the new row is', async () => {
  const insert = (path: string, body: unknown) =>
    server.call(path, { method: 'POST', body: JSON.stringify(body), headers: { Prefer: 'return=headers-only' } });
  const one = await insert('/shelves', { id: 12, label: 'x' });
  expect([one.status, one.text, one.headers.get('location'), one.headers.get('preference-applied')]).toEqual([
    201,
    '',
    '/shelves?id=eq.12',
    'return=headers-only',
  ]);
  expect((await server.call(one.headers.get('location') ?? '')).body).toMatchObject([{ id: 12, label: 'x' }]);
  expect((await insert('/shelves', [{ id: 13 }, { id: 14 }])).headers.get('location')).toBeNull();
  expect((await insert('/heaps', { word: 'x' })).headers.get('location')).toBeNull();
});

test('rollback: the response is complete, and nothing is stored', async () => {
  const visitor = await server.client();
  const before = await shelves();
  const inserted = await visitor.from('shelves').insert({ id: 20 }).select('id, label').rollback().single();
  expect(inserted).toMatchObject({ status: 201, data: { id: 20, label: 'empty' } });
  expect((await visitor.from('shelves').update({ label: 'x' }).eq('id', 1).select('label').rollback()).data).toEqual([
    { label: 'x' },
  ]);
  const deleted = await server.call('/shelves?id=eq.1', { method: 'DELETE', headers: { Prefer: 'tx=rollback' } });
  expect([deleted.status, deleted.headers.get('preference-applied')]).toEqual([204, 'tx=rollback']);
  expect(await shelves()).toEqual(before);
});

test('the client’s maxAffected undoes what goes beyond it', async () => {
  const visitor = await server.client();
  const before = await shelves();
  // The client's types offer this only for a given server version.
  const many = visitor.from('shelves').delete().gt('id', 0) as unknown as {
    maxAffected(most: number): PromiseLike<{ error: { code: string } | null }>;
  };
  const { error } = await many.maxAffected(1);
  expect(error?.code).toBe('PGRST124');
  expect(await shelves()).toEqual(before);
});

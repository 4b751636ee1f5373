import { describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);
const open = await startRestServer(database, {
  environment: {
    REST_SCHEMAS: 'public, library',
    REST_AGGREGATES: 'true',
    REST_PLAN: 'true',
    REST_MAX_ROWS: '3',
  },
});

await database.query(`
  create table public.sales (
    id int primary key, town text, price numeric, at timestamptz, facts jsonb, raw json, note text
  );
  insert into public.sales values
    (1, 'Ada', 1.50, '2026-01-02T03:04:05Z', '{"k": "x"}', '{"r": 1}', 'a, "b"'),
    (2, 'Ada', 2.25, '2026-07-02T03:04:05Z', '{"k": "x"}', '{"r": 1}', ''),
    (3, 'Ben', 10, null, '{"k": "y"}', null, null),
    (4, null, null, null, null, null, e'two\\nlines');
  create table public.parts (id int primary key, sale_id int references public.sales, weight int);
  insert into public.parts values (1, 1, 5), (2, 1, 7), (3, 2, 9), (4, 1, 1), (5, 1, 1);
  create table public.wide (${Array.from({ length: 130 }, (_, n) => `c${n} int default ${n}`).join()});
  insert into public.wide default values;
  create function public.towns() returns setof text stable language sql as $$ values ('Ada'), ('Ben') $$;
  create function public.one_town() returns text stable language sql as $$ select 'Ada' $$;
  create schema library;
  grant usage on schema library to anon;
  create table library.shelves (id int primary key);
  create table library.books (id int primary key, shelf_id int references library.shelves);
  insert into library.shelves values (1);
  create function library.where_am_i() returns text stable language sql as $$ select current_setting('search_path') $$;
  grant select, insert on all tables in schema library to anon;
  grant select, insert, update, delete on public.sales, public.parts, public.wide to anon;
  grant execute on function public.towns, public.one_town, library.where_am_i to anon;
`);

describe('CSV', () => {
  test('through the client: a header row, quoting where needed, and null distinct from an empty text', async () => {
    const { data, error } = await (await server.client()).from('sales').select('id, price, at, note').order('id').csv();
    expect(error).toBeNull();
    expect(data).toBe(
      [
        'id,price,at,note',
        '1,1.50,"2026-01-02 03:04:05+00","a, ""b"""',
        '2,2.25,"2026-07-02 03:04:05+00",""',
        '3,10,,',
        '4,,,"two\nlines"',
      ].join('\n'),
    );
  });

  test('aliases, embedded rows, changes and results of functions', async () => {
    const csv = async (path: string, init: Parameters<typeof server.call>[1] = {}) => {
      const response = await server.call(path, { ...init, headers: { Accept: 'text/csv', ...init.headers } });
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      return response.text;
    };
    expect(await csv('/sales?id=eq.1&select=a:town,parts(id)&parts.limit=1')).toBe('a,parts\nAda,"[{""id"":1}]"');
    expect(await csv('/rpc/towns')).toBe('towns\nAda\nBen');
    expect(await csv('/rpc/one_town')).toBe('one_town\nAda');
    expect(await csv('/sales?id=eq.99&select=id')).toBe('id');
    const changed = {
      method: 'PATCH',
      body: '{"town":"Cy"}',
      headers: { Prefer: 'return=representation, tx=rollback' },
    };
    expect(await csv('/sales?id=eq.3&select=id,town', changed)).toBe('id,town\n3,Cy');
  });
});

test('nulls stripped, in rows and in one row', async () => {
  const visitor = await server.client();
  const rows = await visitor.from('sales').select('id, town, note').gte('id', 3).order('id').stripNulls();
  expect(rows.data).toEqual([
    { id: 3, town: 'Ben' },
    { id: 4, note: 'two\nlines' },
  ]);
  expect((await visitor.from('sales').select('id, town').eq('id', 4).single().stripNulls()).data).toEqual({ id: 4 });
  const response = await server.call('/sales?id=eq.4&select=id,town', {
    headers: { Accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
  });
  expect(response.headers.get('content-type')).toBe('application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8');
});

test('a table of many columns, renamed', async () => {
  const select = Array.from({ length: 130 }, (_, n) => `a${n}:c${n}`).join();
  const response = await server.call(`/wide?select=${select}`);
  expect(Object.keys(response.body[0])).toHaveLength(130);
  expect(response.body[0]).toMatchObject({ a0: 0, a49: 49, a50: 50, a129: 129 });
});

test('times in the zone of the request', async () => {
  const ask = (zone: string, more = '') =>
    server.call('/sales?id=eq.2&select=at', { headers: { Prefer: `timezone=${zone}${more}` } });
  const there = await ask('America/Los_Angeles');
  expect(there.body).toEqual([{ at: '2026-07-01T20:04:05-07:00' }]);
  expect(there.headers.get('preference-applied')).toBe('timezone=America/Los_Angeles');
  expect((await ask('Mars/Olympus')).body).toEqual([{ at: '2026-07-02T03:04:05+00:00' }]);
  expect((await ask('+05:30')).body).toEqual([{ at: '2026-07-02T03:04:05+00:00' }]);
  expect((await ask('Mars/Olympus', ', handling=strict')).body.code).toBe('PGRST122');
});

describe('settings', () => {
  const get = async (path: string) => {
    const response = await open.call(path);
    expect(response.status, response.text).toBe(200);
    return response.body;
  };

  test.each<[string, string, unknown]>([
    ['one sum', '/sales?select=price.sum()', [{ sum: 13.75 }]],
    ['a count of rows', '/sales?select=count()', [{ count: 4 }]],
    ['under an alias, cast', '/sales?select=most:price.max()::int,rows:count()', [{ most: 10, rows: 4 }]],
    [
      'groups',
      '/sales?select=town,price.avg()&order=town',
      [
        { town: 'Ada', avg: 1.875 },
        { town: 'Ben', avg: 10 },
        { town: null, avg: null },
      ],
    ],
    ['groups by a way into JSON', '/sales?select=facts->>k,id.count()&facts=not.is.null&order=facts->>k', undefined],
    ['groups by JSON itself', '/sales?select=raw,count()&raw=not.is.null', [{ raw: { r: 1 }, count: 2 }]],
    ['within an embedded relation', '/sales?id=eq.1&select=id,parts(weight.sum())', [{ id: 1, parts: [{ sum: 14 }] }]],
    [
      'by what is embedded',
      '/parts?select=weight.sum(),sales(town)&sale_id=eq.1',
      [{ sum: 14, sales: { town: 'Ada' } }],
    ],
    ['by what is spread', '/parts?select=weight.sum(),...sales!inner(town)', [{ sum: 23, town: 'Ada' }]],
    [
      'of what is spread',
      '/parts?select=sale_id,...sales(most:price.max(),count(),town)&sale_id=eq.1',
      [{ sale_id: 1, most: 1.5, count: 4, town: 'Ada' }],
    ],
    ['of what is spread, and nothing else', '/parts?select=...sales(price.sum()::int)&sale_id=eq.1', [{ sum: 6 }]],
  ])('aggregates: %s', async (_, path, expected) => {
    if (expected === undefined) {
      // PostgreSQL treats an order by its own placeholder as a different expression: the caller's error, not ours.
      expect((await open.call(path)).status).toBe(400);
      return;
    }
    expect(await get(path)).toEqual(expected);
  });

  test('aggregates: groups are counted, and spread to-many relations are refused', async () => {
    const counted = await open.call('/sales?select=town,count()&limit=1', { headers: { Prefer: 'count=exact' } });
    expect(counted.headers.get('content-range')).toBe('0-0/3');
    expect((await open.call('/sales?select=...parts(weight.sum())')).body.code).toBe('PGRST127');
    expect((await server.call('/sales?select=price.sum()')).body.code).toBe('PGRST123');
    expect((await server.call('/sales?select=count')).body).toEqual([{ count: 4 }]);
  });

  test('rows at most, of embedded relations too', async () => {
    expect(await get('/sales?select=id')).toHaveLength(3);
    expect((await get('/sales?id=eq.1&select=parts(id)'))[0].parts).toHaveLength(3);
  });

  test('plans: of reading, of calling and of changing, which leaves nothing behind', async () => {
    const visitor = await open.client();
    const read = await visitor.from('sales').select('id').eq('id', 1).explain();
    expect(read.data).toContain('sales');
    const asJson = await visitor.from('sales').select('id').explain({ format: 'json', analyze: true, verbose: true });
    expect(asJson.data).toMatchObject([
      { Plan: { 'Node Type': expect.any(String) }, 'Execution Time': expect.any(Number) },
    ]);
    const inserted = await visitor.from('sales').insert({ id: 60 }).explain({ analyze: true });
    expect(inserted.data).toContain('Insert');
    expect(await database.query('select 1 from public.sales where id = 60')).toEqual([]);
    expect((await visitor.rpc('one_town').explain()).data).toContain('cost=');
    const response = await open.call('/sales', {
      headers: { Accept: 'application/vnd.pgrst.plan+text; for="application/json"; options=analyze|nonsense' },
    });
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.pgrst.plan+text; for="application/json"; options=analyze; charset=utf-8',
    );
  });

  test('a plan shows no row that policies hide', async () => {
    const item = await createItem(database, await createOwner(database));
    const visitor = await open.client();
    const { data } = await visitor
      .from('items')
      .select('*')
      .eq('qr_id', item.qrId)
      .explain({ analyze: true, verbose: true });
    expect(data).not.toContain(item.id);
  });

  test('schemas: each with its own tables, functions, relationships and search path', async () => {
    const visitor = (await open.client()).schema('library');
    expect((await visitor.from('shelves').select('id, books(id)')).data).toEqual([{ id: 1, books: [] }]);
    expect((await visitor.from('books').insert({ id: 1, shelf_id: 1 }).select('shelves(id)')).data).toEqual([
      { shelves: { id: 1 } },
    ]);
    expect((await visitor.rpc('where_am_i')).data).toBe('library, public');
    expect((await visitor.from('sales').select()).error?.code).toBe('PGRST205');
    const response = await open.call('/shelves', { headers: { 'Accept-Profile': 'library' } });
    expect(response.headers.get('content-profile')).toBe('library');
    const auth = await open.call('/users', { headers: { 'Accept-Profile': 'auth' } });
    expect([auth.status, auth.body]).toMatchObject([
      406,
      { code: 'PGRST106', hint: 'Only the following schemas are exposed: public, library' },
    ]);
    expect((await server.call('/shelves', { headers: { 'Accept-Profile': 'library' } })).status).toBe(406);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

/** A table of an operator's own, with every kind of column that a filter can meet. */
beforeAll(async () => {
  await database.query(`
    create table public.samples (
      id int primary key, name text, amount numeric, big bigint, tags text[], facts jsonb, span int4range,
      at timestamptz, done boolean, words tsvector, "odd, name" text
    );
    alter table public.samples enable row level security;
    create policy "everybody reads" on public.samples for select to anon using (true);
    grant select on public.samples to anon;
    insert into public.samples values
      (1, 'alpha', 1.5, 9007199254740993, '{a,b}', '{"k": {"n": 1}, "list": [10, 20]}', '[1,5)', '2026-01-02T03:04:05.678Z', true, to_tsvector('quick brown fox'), 'x'),
      (2, 'beta, (x)', 2, null, '{b,c}', '{"k": {"n": 2}}', '[5,9)', '2026-02-02T00:00:00Z', false, to_tsvector('lazy dog'), 'y'),
      (3, 'gamma "q"', null, 3, '{}', null, '[20,30)', null, null, null, null),
      (4, 'Alpine', 4, 4, null, '{"k": null}', null, '2026-04-04T00:00:00Z', true, to_tsvector('brown dogs'), 'z');
    notify pgrst, 'reload schema';
  `);
});

const ids = (rows: { id: number }[] | null) => (rows ?? []).map(({ id }) => id);

describe('owners and visitors', () => {
  test('an owner reads their own items, newest first, a page at a time', async () => {
    const owner = await createOwner(database);
    const other = await createOwner(database);
    const first = await createItem(database, owner, { itemName: 'First', description: 'a "quoted" thing' });
    const second = await createItem(database, owner, { itemName: 'Second' });
    await createItem(database, other);
    const client = await server.client(owner.caller);

    const all = await client
      .from('items')
      .select('*')
      .eq('user_id', owner.id)
      .order('created_at', { ascending: false });
    expect(all.error).toBeNull();
    expect(all.status).toBe(200);
    expect(all.data?.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(all.data?.[1]).toMatchObject({ qr_id: first.qrId, item_name: 'First', description: 'a "quoted" thing' });
    expect(all.data?.[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);

    // Row-level security, and not the filter, keeps others' items away.
    expect((await client.from('items').select('id')).data).toHaveLength(2);

    const page = await client.from('items').select('item_name').order('item_name').range(1, 1);
    expect(page.data).toEqual([{ item_name: 'Second' }]);
  });

  test('a visitor is shown no row and counts none', async () => {
    const item = await createItem(database, await createOwner(database));
    const visitor = await server.client();
    expect(await visitor.from('items').select('*')).toMatchObject({ data: [], status: 200 });
    expect(
      await visitor.from('items').select('*', { count: 'exact', head: true }).eq('qr_id', item.qrId),
    ).toMatchObject({ data: null, count: 0, error: null, status: 200 });
    expect((await visitor.from('profiles').select('id, full_name, email, phone').maybeSingle()).data).toBeNull();
  });

  test.each<[string, (of: { id: string; email: string; qrId: string }) => string]>([
    ['by id', ({ id }) => `/profiles?id=eq.${id}`],
    ['by email address', ({ email }) => `/profiles?email=eq.${encodeURIComponent(email)}`],
    ['by one thing or another', ({ id }) => `/profiles?or=(id.eq.${id},full_name.not.is.null)`],
    ['by the beginning of a code', () => '/items?qr_id=like.tgt-*'],
    ['after a code', () => '/items?qr_id=gt.tgt-&order=qr_id'],
    ['by the very code', ({ qrId }) => `/items?qr_id=eq.${qrId}`],
    ['in order, a page', () => '/items?order=created_at.desc&limit=1000&offset=0'],
    ['of an owner', ({ id }) => `/items?user_id=eq.${id}&select=id,item_name`],
  ])('a visitor who looks for people and items gets no row and a count of 0: %s [C22]', async (_, path) => {
    const owner = await createOwner(database);
    const { qrId } = await createItem(database, owner);
    const asked = path({ id: owner.id, email: owner.email, qrId });
    const headers = { Prefer: 'count=exact' };
    const known = await server.call(asked, { headers: { ...headers, apikey: server.secretKey } });
    expect(known.body.length).toBeGreaterThan(0);
    for (const more of [{}, { Range: '0-9' }]) {
      const response = await server.call(asked, { headers: { ...headers, ...more } });
      expect([response.status, response.body, response.headers.get('content-range')]).toEqual([200, [], '*/0']);
    }
    const head = await server.call(asked, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-range')]).toEqual([200, '*/0']);
  });

  test.each([
    '/items?select=*,messages(*)',
    '/items?select=*,conversations(*)',
    '/messages',
    '/qr_codes',
    '/channel_openings',
  ])('a visitor has no right to %s', async (path) => {
    expect(await server.call(path)).toMatchObject({ status: 401, body: { code: '42501' } });
  });

  test('the secret key passes row-level security', async () => {
    const item = await createItem(database, await createOwner(database));
    const { data } = await server.service().from('items').select('id').eq('qr_id', item.qrId).single();
    expect(data).toEqual({ id: item.id });
  });
});

describe('what is selected', () => {
  test('columns, aliases, casts and ways into JSON', async () => {
    const visitor = await server.client();
    const { data, error } = await visitor
      .from('samples')
      .select('id, label:name, amount::text, facts->k->n, third:facts->list->>1, "odd, name"')
      .eq('id', 1);
    expect(error).toBeNull();
    expect(data).toEqual([{ id: 1, label: 'alpha', amount: '1.5', n: 1, third: '20', 'odd, name': 'x' }]);
  });

  test('a column may have a name that the statement uses itself', async () => {
    await database.query(`
      create table public.chapters (page int primary key, found int);
      alter table public.chapters enable row level security;
      create policy "everybody reads" on public.chapters for select to anon using (true);
      grant select on public.chapters to anon;
      insert into public.chapters values (7, 1);
      notify pgrst, 'reload schema';
    `);
    const visitor = await server.client();
    await expect.poll(async () => (await visitor.from('chapters').select()).data).toEqual([{ page: 7, found: 1 }]);
    expect((await visitor.from('chapters').select('page').single()).data).toEqual({ page: 7 });
  });

  test('values as PostgreSQL writes them in JSON', async () => {
    const response = await server.call('/samples?id=eq.1&select=big,amount,tags,facts,span,at,done');
    // The text, since JavaScript would round the number.
    expect(response.text).toContain('"big":9007199254740993');
    expect(response.body[0]).toMatchObject({
      amount: 1.5,
      tags: ['a', 'b'],
      facts: { k: { n: 1 }, list: [10, 20] },
      span: '[1,5)',
      at: '2026-01-02T03:04:05.678+00:00',
      done: true,
    });
  });

  test('exactly one, at most one', async () => {
    const visitor = await server.client();
    expect((await visitor.from('samples').select('id').eq('id', 2).single()).data).toEqual({ id: 2 });
    expect(await visitor.from('samples').select('id').eq('id', 99).single()).toMatchObject({
      status: 406,
      error: {
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        details: 'The result contains 0 rows',
        hint: null,
      },
    });
    expect((await visitor.from('samples').select('id').single()).error?.details).toBe('The result contains 4 rows');
    expect(await visitor.from('samples').select('id').eq('id', 99).maybeSingle()).toMatchObject({
      data: null,
      error: null,
    });
    const response = await server.call('/samples?id=eq.2&select=id', {
      headers: { Accept: 'application/vnd.pgrst.object+json' },
    });
    expect(response.headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8');
  });
});

describe('filters', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the builder's own type names the rows of a database that it cannot know
  type Narrow = (query: any) => PromiseLike<{ data: { id: number }[] | null; error: unknown }>;
  test.each<[string, Narrow, number[]]>([
    ['eq', (q) => q.eq('name', 'beta, (x)'), [2]],
    ['neq', (q) => q.neq('id', 2), [1, 3, 4]],
    ['gt, lte', (q) => q.gt('id', 1).lte('id', 3), [2, 3]],
    ['gte, lt', (q) => q.gte('amount', 2).lt('amount', 4), [2]],
    ['like with stars', (q) => q.like('name', 'al*'), [1]],
    ['ilike', (q) => q.ilike('name', 'al%'), [1, 4]],
    ['likeAnyOf', (q) => q.likeAnyOf('name', ['al%', 'be%']), [1, 2]],
    ['likeAllOf', (q) => q.likeAllOf('name', ['al%', '%ha']), [1]],
    ['ilikeAnyOf', (q) => q.ilikeAnyOf('name', ['AL%', 'BE%']), [1, 2, 4]],
    ['ilikeAllOf', (q) => q.ilikeAllOf('name', ['al%', '%ne']), [4]],
    ['is null', (q) => q.is('amount', null), [3]],
    ['is true', (q) => q.is('done', true), [1, 4]],
    ['in, with commas, brackets and quotes', (q) => q.in('name', ['beta, (x)', 'gamma "q"']), [2, 3]],
    ['in an empty list', (q) => q.in('id', []), []],
    ['not in', (q) => q.notIn('id', [1, 2]), [3, 4]],
    ['isDistinct', (q) => q.isDistinct('done', true), [2, 3]],
    ['regexMatch', (q) => q.regexMatch('name', '^al'), [1]],
    ['regexIMatch', (q) => q.regexIMatch('name', '^AL'), [1, 4]],
    ['contains an array', (q) => q.contains('tags', ['b']), [1, 2]],
    ['containedBy', (q) => q.containedBy('tags', ['a', 'b']), [1, 3]],
    ['overlaps', (q) => q.overlaps('tags', ['a', 'c']), [1, 2]],
    ['contains JSON', (q) => q.contains('facts', { k: { n: 2 } }), [2]],
    ['rangeLt', (q) => q.rangeLt('span', '[6,10)'), [1]],
    ['rangeGt', (q) => q.rangeGt('span', '[1,6)'), [3]],
    ['rangeGte', (q) => q.rangeGte('span', '[5,9)'), [2, 3]],
    ['rangeLte', (q) => q.rangeLte('span', '[5,9)'), [1, 2]],
    ['rangeAdjacent', (q) => q.rangeAdjacent('span', '[9,20)'), [2, 3]],
    ['textSearch on a tsvector', (q) => q.textSearch('words', 'brown & fox'), [1]],
    [
      'textSearch on text, websearch, with a configuration',
      (q) => q.textSearch('name', 'alpha', { type: 'websearch', config: 'simple' }),
      [1],
    ],
    ['plain textSearch', (q) => q.textSearch('words', 'dog', { type: 'plain' }), [2, 4]],
    ['not', (q) => q.not('name', 'like', 'al%'), [2, 3, 4]],
    ['or', (q) => q.or('id.eq.1,and(id.gt.2,done.is.true)'), [1, 4]],
    ['or with quoted values and lists', (q) => q.or('name.eq."beta, (x)",id.in.(3,4),tags.cs.{a,b}'), [1, 2, 3, 4]],
    ['a way into JSON', (q) => q.eq('facts->k->>n', '2'), [2]],
    ['a JSON number', (q) => q.eq('facts->k->n', '1'), [1]],
    ['a column with a strange name', (q) => q.eq('"odd, name"', 'y'), [2]],
    ['the same column twice', (q) => q.gt('id', 1).gt('id', 2), [3, 4]],
    ['filter', (q) => q.filter('id', 'in', '(1,2)'), [1, 2]],
    ['match', (q) => q.match({ id: 1, name: 'alpha' }), [1]],
  ])('%s', async (_, narrow, expected) => {
    const { data, error } = await narrow((await server.client()).from('samples').select('id').order('id'));
    expect(error).toBeNull();
    expect(ids(data)).toEqual(expected);
  });

  test('not.or', async () => {
    expect(ids((await server.call('/samples?select=id&order=id&not.or=(id.eq.1,id.eq.2)')).body)).toEqual([3, 4]);
  });

  test('a value is never SQL', async () => {
    const hostile = `'; drop table public.samples; --`;
    const visitor = await server.client();
    expect((await visitor.from('samples').select('id').eq('name', hostile)).data).toEqual([]);
    expect((await visitor.from('samples').select('id').or(`name.eq."${hostile}"`)).data).toEqual([]);
    expect((await visitor.from('samples').select(`id, alias":'name`)).error).toMatchObject({ code: 'PGRST100' });
    expect((await visitor.from('samples').select(`"x'y\\"z":name`).eq('id', 1)).data).toEqual([{ 'x\'y"z': 'alpha' }]);
    expect((await visitor.from('samples').select('id')).data).toHaveLength(4);
  });
});

describe('order, pages and counts', () => {
  test('directions and nulls', async () => {
    const visitor = await server.client();
    expect(
      ids((await visitor.from('samples').select('id').order('amount', { ascending: false, nullsFirst: false })).data),
    ).toEqual([4, 2, 1, 3]);
    expect(ids((await visitor.from('samples').select('id').order('amount', { nullsFirst: true })).data)).toEqual([
      3, 1, 2, 4,
    ]);
    expect(
      ids((await visitor.from('samples').select('id').order('done').order('id', { ascending: false })).data),
    ).toEqual([2, 4, 1, 3]);
  });

  test.each([
    ['everything', '', undefined, 200, '0-3/*'],
    ['everything, counted', '', 'count=exact', 200, '0-3/4'],
    ['a page, counted', '&limit=2', 'count=exact', 206, '0-1/4'],
    ['the second page', '&limit=2&offset=2', 'count=exact', 206, '2-3/4'],
    ['no rows', '&id=eq.99', undefined, 200, '*/*'],
    ['no rows, counted', '&id=eq.99', 'count=exact', 200, '*/0'],
    ['behind the end', '&offset=5', 'count=exact', 416, '*/4'],
  ])('%s', async (_, query, prefer, status, range) => {
    const response = await server.call(`/samples?select=id${query}`, {
      headers: prefer === undefined ? {} : { Prefer: prefer },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(range);
    if (status < 400) expect(response.headers.get('preference-applied')).toBe(prefer ?? null);
    else expect(response.body).toMatchObject({ code: 'PGRST103', message: 'Requested range not satisfiable' });
  });

  test('HEAD counts without a body', async () => {
    const visitor = await server.client();
    expect(await visitor.from('samples').select('*', { count: 'exact', head: true })).toMatchObject({
      count: 4,
      data: null,
    });
    const response = await server.call('/samples?limit=1', { method: 'HEAD', headers: { Prefer: 'count=exact' } });
    expect([response.status, response.headers.get('content-range'), response.text]).toEqual([206, '0-0/4', '']);
  });

  test('a planned or estimated count reveals nothing about rows that the caller may not see [C22]', async () => {
    const { caller } = await createOwner(database);
    await database.query(`
      create table public.guesses (owner text, word text);
      alter table public.guesses enable row level security;
      create policy "one's own" on public.guesses for select to authenticated using (owner = auth.uid()::text);
      grant select on public.guesses to authenticated;
      insert into public.guesses select (n % 5)::text, 'secret' from generate_series(1, 5000) as n;
      analyze public.guesses;
      notify pgrst, 'reload schema'`);
    const expected = await database.query<{ 'QUERY PLAN': string }>(
      "explain select from public.guesses where owner = (select 'nobody') and word = 'secret'",
    );
    expect(expected[0]?.['QUERY PLAN']).toContain('rows=1000 ');
    const client = await server.client(caller);
    // Until the schema cache has the new table.
    await expect.poll(async () => (await client.from('guesses').select()).error).toBeNull();
    for (const count of ['planned', 'estimated'] as const) {
      expect((await client.from('guesses').select('*', { count }).eq('word', 'secret')).count).toBe(0);
    }
  });

  test('no more than 1,000 rows leave at once', async () => {
    await database.query(`
      create table public.many as select generate_series(1, 1500) as n;
      grant select on public.many to anon;
      notify pgrst, 'reload schema';
    `);
    await expect.poll(async () => (await server.call('/many?select=n&limit=1')).status).toBe(200);
    const { data, count } = await (await server.client()).from('many').select('n', { count: 'exact' }).limit(5000);
    expect(data).toHaveLength(1000);
    expect(count).toBe(1500);
  });
});

test('the schema cache follows NOTIFY pgrst', async () => {
  expect((await server.call('/later')).status).toBe(404);
  await database.query('create table public.later (id int); grant select on public.later to anon;');
  await database.query(`notify pgrst, 'reload schema'`);
  await expect.poll(async () => (await server.call('/later')).body).toEqual([]);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);

/** An operator's own library, with every kind of relationship. */
beforeAll(async () => {
  await database.query(`
    create table public.authors (id int primary key, name text, born int);
    create table public.books (id int primary key, title text, price numeric, author_id int references public.authors);
    create table public.covers (book_id int primary key references public.books, color text);
    create table public.topics (id int primary key, word text);
    create table public.book_topics (
      book_id int references public.books, topic_id int references public.topics, primary key (book_id, topic_id)
    );
    create table public.teams (id int primary key, name text);
    create table public.matches (
      id int primary key, home int constraint home_team references public.teams,
      away int constraint away_team references public.teams
    );
    create table public.people (id int primary key, name text, boss_id int references public.people);
    create view public.cheap_books with (security_invoker) as
      select id, title as heading, author_id as writer from public.books where price < 10;
    create function public.loud(author public.authors) returns text stable language sql as 'select upper(author.name)';
    create function public.latest_book(author public.authors) returns setof public.books rows 1 stable language sql
      as 'select * from public.books where author_id = author.id order by id desc limit 1';
    create function public.books_under(most numeric) returns setof public.books stable language sql
      as 'select * from public.books where price < most';
    insert into public.authors values (1, 'Ada', 1815), (2, 'Ben', 1706), (3, 'Cy', 1900);
    insert into public.books values (1, 'Notes', 5, 1), (2, 'Engines', 15, 1), (3, 'Kites', 8, 2), (4, 'Anonymous', 1, null);
    insert into public.covers values (1, 'red'), (3, 'blue');
    insert into public.topics values (1, 'sums'), (2, 'wind'), (3, 'unused');
    insert into public.book_topics values (1, 1), (2, 1), (2, 2), (3, 2);
    insert into public.teams values (1, 'Reds'), (2, 'Blues');
    insert into public.matches values (1, 1, 2);
    insert into public.people values (1, 'Top', null), (2, 'Middle', 1), (3, 'Low', 2), (4, 'Other', 1);
    grant select, insert, update, delete on public.authors, public.books, public.covers, public.topics,
      public.book_topics, public.teams, public.matches, public.people, public.cheap_books to anon;
    grant execute on function public.loud, public.latest_book, public.books_under to anon;
    notify pgrst, 'reload schema';
  `);
});

const get = async (path: string) => {
  const response = await server.call(path);
  expect(response.status, response.text).toBe(200);
  return response.body;
};

describe('an owner', () => {
  test('reads items with their conversations and messages in one call, and no other account’s', async () => {
    const [owner, other] = [await createOwner(database), await createOwner(database)];
    const [item, theirs] = [await createItem(database, owner), await createItem(database, other)];
    await sendMessage(database, item, 'I found it');
    await sendMessage(database, theirs, 'Not yours');
    const client = await server.client(owner.caller);
    const { data, error } = await client.from('items').select('qr_id, conversations(id, messages(body, sender))');
    expect(error).toBeNull();
    expect(data).toEqual([
      {
        qr_id: item.qrId,
        conversations: [{ id: expect.any(String), messages: [{ body: 'I found it', sender: 'finder' }] }],
      },
    ]);
    const up = await client.from('messages').select('body, items!inner(qr_id)').eq('items.qr_id', theirs.qrId);
    expect(up).toMatchObject({ data: [], error: null });
  });

  test('a visitor reaches no row by way of another table [C22]', async () => {
    await createItem(database, await createOwner(database));
    for (const path of [
      '/items?select=*,qr_codes(*)',
      '/qr_codes?select=items(*)',
      '/items?select=id,conversations(*)',
    ]) {
      const response = await server.call(path, { headers: { Prefer: 'count=exact' } });
      if (response.status === 200) expect([response.body, response.headers.get('content-range')]).toEqual([[], '*/0']);
      else expect([response.status, response.body.code]).toEqual([401, '42501']);
    }
  });
});

describe('embedded rows', () => {
  test.each<[string, string, unknown]>([
    ['to one', '/books?id=eq.1&select=title,authors(name)', [{ title: 'Notes', authors: { name: 'Ada' } }]],
    ['to none', '/books?id=eq.4&select=title,authors(name)', [{ title: 'Anonymous', authors: null }]],
    [
      'with all columns',
      '/books?id=eq.1&select=*,authors(*)',
      [{ id: 1, title: 'Notes', price: 5, author_id: 1, authors: { id: 1, name: 'Ada', born: 1815 } }],
    ],
    [
      'to many',
      '/authors?id=in.(1,3)&select=name,books(title)&order=id',
      [
        { name: 'Ada', books: [{ title: 'Notes' }, { title: 'Engines' }] },
        { name: 'Cy', books: [] },
      ],
    ],
    [
      'one to one, from either side',
      '/books?id=in.(1,2)&select=id,covers(color,books(title))&order=id',
      [
        { id: 1, covers: { color: 'red', books: { title: 'Notes' } } },
        { id: 2, covers: null },
      ],
    ],
    [
      'many to many',
      '/topics?select=word,books(title)&order=id&books.order=id',
      [
        { word: 'sums', books: [{ title: 'Notes' }, { title: 'Engines' }] },
        { word: 'wind', books: [{ title: 'Engines' }, { title: 'Kites' }] },
        { word: 'unused', books: [] },
      ],
    ],
    ['under an alias', '/books?id=eq.1&select=writer:authors(who:name)', [{ writer: { who: 'Ada' } }]],
    ['by the foreign key’s column', '/books?id=eq.1&select=author_id(name)', [{ author_id: { name: 'Ada' } }]],
    [
      'by the foreign key’s name',
      '/matches?select=home_team(name),away:teams!away_team(name)',
      [{ home_team: { name: 'Reds' }, away: { name: 'Blues' } }],
    ],
    ['by a hint that is a column', '/matches?select=teams!away(name)', [{ teams: { name: 'Blues' } }]],
    [
      'nested',
      '/authors?id=eq.2&select=books(title,topics(word),covers(color))',
      [{ books: [{ title: 'Kites', topics: [{ word: 'wind' }], covers: { color: 'blue' } }] }],
    ],
    [
      'rows of the same table',
      '/people?id=eq.2&select=name,boss_id(name),people(name)',
      [{ name: 'Middle', boss_id: { name: 'Top' }, people: [{ name: 'Low' }] }],
    ],
    [
      'spread to one',
      '/books?id=eq.1&select=title,...authors(name,year:born)',
      [{ title: 'Notes', name: 'Ada', year: 1815 }],
    ],
    [
      'spread within spread',
      '/covers?select=color,...books(title,...authors(name))&order=book_id',
      [
        { color: 'red', title: 'Notes', name: 'Ada' },
        { color: 'blue', title: 'Kites', name: 'Ben' },
      ],
    ],
    [
      'spread of many',
      '/authors?id=eq.1&select=name,...books(title,price)',
      [{ name: 'Ada', title: ['Notes', 'Engines'], price: [5, 15] }],
    ],
    [
      'from a view',
      '/cheap_books?id=eq.1&select=heading,authors(name)',
      [{ heading: 'Notes', authors: { name: 'Ada' } }],
    ],
    [
      'a view',
      '/authors?id=eq.1&select=name,cheap_books(heading)',
      [{ name: 'Ada', cheap_books: [{ heading: 'Notes' }] }],
    ],
    [
      'a function of the row',
      '/authors?id=eq.1&select=loud,latest_book(title)',
      [{ loud: 'ADA', latest_book: { title: 'Engines' } }],
    ],
    [
      'a count, as the client writes it',
      '/authors?select=name,books(count)&order=id',
      [
        { name: 'Ada', books: [{ count: 2 }] },
        { name: 'Ben', books: [{ count: 1 }] },
        { name: 'Cy', books: [{ count: 0 }] },
      ],
    ],
    [
      'in the rows of a function',
      '/rpc/books_under?most=6&select=title,authors(name)&order=id',
      [
        { title: 'Notes', authors: { name: 'Ada' } },
        { title: 'Anonymous', authors: null },
      ],
    ],
    ['JSON paths and casts in it', '/books?id=eq.1&select=authors(born::text)', [{ authors: { born: '1815' } }]],
  ])('%s', async (_, path, expected) => {
    expect(await get(path)).toEqual(expected);
  });
});

describe('filters, order and pages of what is embedded', () => {
  test.each<[string, string, unknown]>([
    [
      'a filter leaves the row',
      '/authors?select=name,books(title)&books.price=gt.10&order=id',
      [
        { name: 'Ada', books: [{ title: 'Engines' }] },
        { name: 'Ben', books: [] },
        { name: 'Cy', books: [] },
      ],
    ],
    [
      'a filter on an inner relation chooses rows',
      '/authors?select=name,books!inner(title)&books.price=gt.10',
      [{ name: 'Ada', books: [{ title: 'Engines' }] }],
    ],
    [
      'inner, nested',
      '/authors?select=name,books!inner(topics!inner(word))&books.topics.word=eq.sums',
      [{ name: 'Ada', books: [{ topics: [{ word: 'sums' }] }, { topics: [{ word: 'sums' }] }] }],
    ],
    [
      'an inner relation that is not shown',
      '/books?select=title,authors!inner()&authors.name=eq.Ben',
      [{ title: 'Kites' }],
    ],
    [
      'by its alias',
      '/books?select=title,writer:authors!inner(name)&writer.born=lt.1800',
      [{ title: 'Kites', writer: { name: 'Ben' } }],
    ],
    [
      'or, within',
      '/authors?id=eq.1&select=books(title)&books.or=(price.lt.6,title.eq.Engines)&books.order=price.desc',
      [{ books: [{ title: 'Engines' }, { title: 'Notes' }] }],
    ],
    [
      'not.and, within',
      '/authors?id=eq.1&select=books(id)&books.not.and=(price.lt.6,title.eq.Notes)',
      [{ books: [{ id: 2 }] }],
    ],
    [
      'order, limit and offset',
      '/authors?id=eq.1&select=books(title)&books.order=title&books.limit=1&books.offset=1',
      [{ books: [{ title: 'Notes' }] }],
    ],
    [
      'order by what is to one',
      '/books?select=id,authors()&author_id=not.is.null&order=authors(name).desc,id',
      [{ id: 3 }, { id: 1 }, { id: 2 }],
    ],
    ['rows without it', '/authors?select=name,books()&books=is.null', [{ name: 'Cy' }]],
    [
      'rows with it, in a tree',
      '/authors?select=name,books()&or=(books.not.is.null,name.eq.Cy)&order=id',
      [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cy' }],
    ],
    [
      'rows without what is filtered',
      '/authors?select=name,books()&books.price=gt.10&books=is.null&order=id',
      [{ name: 'Ben' }, { name: 'Cy' }],
    ],
    [
      'inner to one and to many at once',
      '/books?select=id,authors!inner(name),topics!inner(word)&topics.word=eq.wind&order=id',
      [
        { id: 2, authors: { name: 'Ada' }, topics: [{ word: 'wind' }] },
        { id: 3, authors: { name: 'Ben' }, topics: [{ word: 'wind' }] },
      ],
    ],
  ])('%s', async (_, path, expected) => {
    expect(await get(path)).toEqual(expected);
  });

  test('through the client', async () => {
    const { data, error, count } = await (await server.client())
      .from('authors')
      .select('name, books!inner(title)', { count: 'exact' })
      .gt('books.price', 1)
      .or('title.eq.Kites,title.eq.Notes', { referencedTable: 'books' })
      .order('title', { referencedTable: 'books', ascending: false })
      .limit(1, { referencedTable: 'books' })
      .order('name');
    expect(error).toBeNull();
    expect([data, count]).toEqual([
      [
        { name: 'Ada', books: [{ title: 'Notes' }] },
        { name: 'Ben', books: [{ title: 'Kites' }] },
      ],
      2,
    ]);
  });
});

describe('embedding in the response to a change', () => {
  test('embeds too', async () => {
    const visitor = await server.client();
    const inserted = await visitor
      .from('books')
      .insert({ id: 90, title: 'New', author_id: 3 })
      .select('title, author_id, authors(name)');
    const data = [{ title: 'New', author_id: 3, authors: { name: 'Cy' } }];
    expect(inserted).toMatchObject({ status: 201, data });
    const updated = await visitor
      .from('books')
      .update({ author_id: 2 })
      .eq('id', 90)
      .select('id, ...authors(name)')
      .single();
    expect(updated.data).toEqual({ id: 90, name: 'Ben' });
    const deleted = await visitor.from('books').delete().eq('id', 90).select('authors!inner(name), topics(word)');
    expect(deleted.data).toEqual([{ authors: { name: 'Ben' }, topics: [] }]);
  });
});

describe('refusals', () => {
  test.each([
    [
      'no relationship',
      '/books?select=teams(name)',
      400,
      'PGRST200',
      "Could not find a relationship between 'books' and 'teams' in the schema cache",
    ],
    [
      'a hint that fits none',
      '/books?select=authors!nope(name)',
      400,
      'PGRST200',
      "Could not find a relationship between 'books' and 'authors' in the schema cache",
    ],
    [
      'a filter on what is not embedded',
      '/books?authors.name=eq.Ada',
      400,
      'PGRST108',
      "'authors' is not an embedded resource in this request",
    ],
    [
      'the same, nested',
      '/books?select=authors(name)&authors.books.id=eq.1',
      400,
      'PGRST108',
      "'books' is not an embedded resource in this request",
    ],
    [
      'order by what is not embedded',
      '/books?order=authors(name)',
      400,
      'PGRST108',
      "'authors' is not an embedded resource in this request",
    ],
    [
      'order by what is to many',
      '/authors?select=books(id)&order=books(id)',
      400,
      'PGRST118',
      "A related order on 'books' is not possible",
    ],
    [
      'another test than for null',
      '/authors?select=books(id)&books=eq.1',
      400,
      'PGRST120',
      "Bad operator on the 'books' embedded resource",
    ],
    ['an unknown column of it', '/books?select=authors(nope)', 400, '42703', 'column authors.nope does not exist'],
    [
      'too many',
      `/books?select=${Array.from({ length: 31 }, (_, n) => `a${n}:authors(id)`).join()}`,
      400,
      'PGRST100',
      'The query is too complex',
    ],
  ])('%s', async (_, path, status, code, message) => {
    const response = await server.call(path);
    expect([response.status, response.body]).toMatchObject([status, { code, message }]);
  });

  test('a view beside the table is meant by its own name only', async () => {
    await database.query(`
      create view public.author_names with (security_invoker) as select id, name from public.authors;
      create view public.book_titles with (security_invoker) as select id, title, author_id from public.books;
      grant select on public.author_names, public.book_titles to anon;
      notify pgrst, 'reload schema';
    `);
    const path = '/books?id=eq.1&select=';
    await expect
      .poll(async () => (await server.call(`${path}author_names(name)`)).body)
      .toEqual([{ author_names: { name: 'Ada' } }]);
    expect(await get(`${path}author_id(born)`)).toEqual([{ author_id: { born: 1815 } }]);
    expect(await get(`${path}books_author_id_fkey(born)`)).toEqual([{ books_author_id_fkey: { born: 1815 } }]);
    expect(await get(`${path}author_names!author_id(name)`)).toEqual([{ author_names: { name: 'Ada' } }]);
    expect(await get('/author_names?id=eq.2&select=name,books(title),book_titles(title)')).toEqual([
      { name: 'Ben', books: [{ title: 'Kites' }], book_titles: [{ title: 'Kites' }] },
    ]);
    expect(await get('/book_titles?id=eq.1&select=title,author_names(name),topics(word)')).toEqual([
      { title: 'Notes', author_names: { name: 'Ada' }, topics: [{ word: 'sums' }] },
    ]);
  });

  test('an ambiguous relationship: the candidates, and how to choose', async () => {
    const response = await server.call('/matches?select=teams(name)');
    expect([response.status, response.body]).toEqual([
      300,
      {
        code: 'PGRST201',
        message: "Could not embed because more than one relationship was found for 'matches' and 'teams'",
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'matches with teams',
            relationship: 'away_team using matches(away) and teams(id)',
          },
          {
            cardinality: 'many-to-one',
            embedding: 'matches with teams',
            relationship: 'home_team using matches(home) and teams(id)',
          },
        ],
        hint: "Try changing 'teams' to one of the following: 'teams!away_team', 'teams!home_team'. Find the desired relationship in the 'details' key.",
      },
    ]);
  });

  test('candidates over columns that the caller may not read are not named', async () => {
    await database.query(`
      create table public.bouts (id int, red int constraint red_canary references public.teams, blue int constraint blue_corner references public.teams);
      grant select (id, blue) on public.bouts to anon;
      notify pgrst, 'reload schema';
    `);
    await expect.poll(async () => (await server.call('/bouts?select=id')).status).toBe(200);
    const response = await server.call('/bouts?select=teams(name)');
    expect(response.body.code).toBe('PGRST201');
    expect(response.text).toContain('blue_corner');
    expect(response.text).not.toContain('red_canary');
  });

  test('rights on what is embedded are the caller’s', async () => {
    await database.query(
      `create table public.drafts (id int, author_id int references public.authors); notify pgrst, 'reload schema';`,
    );
    await expect.poll(async () => (await server.call('/drafts')).status).toBe(401);
    expect(await server.call('/authors?select=drafts(id)')).toMatchObject({ status: 401, body: { code: '42501' } });
  });
});

import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);
await database.query(`
  create table public.shelves (id int primary key, word text not null);
  create table public.books (id int primary key, shelf_id int not null references public.shelves, word text not null);
  create index on public.books (shelf_id);
  alter table public.shelves enable row level security;
  alter table public.books enable row level security;
  create policy "readers" on public.shelves to authenticated using (true) with check (true);
  create policy "readers" on public.books to authenticated using (true) with check (true);
  grant select, update on public.shelves, public.books to authenticated;
  insert into public.shelves values (1, 'shelf');
  insert into public.books select id, 1, repeat('x', 100) from generate_series(1, 100) as id;
`);
const { caller } = await createOwner(database);
const tooComplex = { status: 400, body: { code: 'PGRST100', message: 'The query is too complex' } };

/** 100 books of a shelf of 100 books of a shelf …; 100 to the fourth rows in all. */
const deep = (open: string) => `${`${open}(shelves(`.repeat(3)}books(word)${'))'.repeat(3)}`;

test.each(['books', '...books'])('relations that embed each other again and again end early: %s', async (open) => {
  // A statement that goes on for its 8 seconds would be 57014.
  const select = open === 'books' ? deep(open) : `books(shelves(...books(shelves(...books(shelves(...books(word)))))))`;
  expect(await server.call(`/shelves?select=${select}`, { as: caller })).toMatchObject(tooComplex);
});

test('a change whose answer would be too much is not made', async () => {
  const answer = await server.call(`/shelves?id=eq.1&select=${deep('books')}`, {
    method: 'PATCH',
    as: caller,
    headers: { Prefer: 'return=representation' },
    body: '{"word": "changed"}',
  });
  expect(answer).toMatchObject(tooComplex);
  expect(await database.query('select word from public.shelves')).toEqual([{ word: 'shelf' }]);
});

test('thousands of embedded rows are no trouble, and each is there', async () => {
  const answer = await server.call('/shelves?select=books(shelves(books(word)))', {
    as: caller,
    headers: { Prefer: 'count=exact' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-range')).toBe('0-0/1');
  const [shelf] = answer.body;
  expect(shelf.books).toHaveLength(100);
  for (const book of shelf.books) expect(book.shelves.books).toHaveLength(100);
});

test('the same column again and again is refused, whichever way it is written', async () => {
  for (const field of ['word', '*', 'a:word', 'word::text', 'books(word)']) {
    const select = field === 'books(word)' ? `books(${'word,'.repeat(150)}id)` : `${`${field},`.repeat(150)}id`;
    expect(await server.call(`/shelves?select=${select}`, { as: caller }), field).toMatchObject(tooComplex);
  }
});

test('500 conditions and no more, also inside of a logic tree', async () => {
  const or = (terms: number) => `/shelves?select=id&or=(${Array(terms).fill('id.eq.1').join(',')})`;
  expect((await server.call(or(500), { as: caller })).body).toEqual([{ id: 1 }]);
  expect(await server.call(or(501), { as: caller })).toMatchObject(tooComplex);
});

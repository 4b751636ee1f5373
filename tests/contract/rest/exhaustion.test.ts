import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { inSomeAttempt } from '#tests/support/in-some-attempt.ts';
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

test.each(['books', '...books'])('relations that embed each other repeatedly are refused: %s [H53]', async (open) => {
  // A statement that ran for its 8 seconds would fail with 57014.
  const select = open === 'books' ? deep(open) : `books(shelves(...books(shelves(...books(shelves(...books(word)))))))`;
  expect(await server.call(`/shelves?select=${select}`, { as: caller })).toMatchObject(tooComplex);
});

test('a change whose response would be too large is rolled back [H53]', async () => {
  const response = await server.call(`/shelves?id=eq.1&select=${deep('books')}`, {
    method: 'PATCH',
    as: caller,
    headers: { Prefer: 'return=representation' },
    body: '{"word": "changed"}',
  });
  expect(response).toMatchObject(tooComplex);
  expect(await database.query('select word from public.shelves')).toEqual([{ word: 'shelf' }]);
});

test('thousands of embedded rows are returned completely', async () => {
  const response = await server.call('/shelves?select=books(shelves(books(word)))', {
    as: caller,
    headers: { Prefer: 'count=exact' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-range')).toBe('0-0/1');
  const [shelf] = response.body;
  expect(shelf.books).toHaveLength(100);
  for (const book of shelf.books) expect(book.shelves.books).toHaveLength(100);
});

test('one column selected too often is refused, however it is written [H53]', async () => {
  for (const field of ['word', '*', 'a:word', 'word::text', 'books(word)']) {
    const select = field === 'books(word)' ? `books(${'word,'.repeat(150)}id)` : `${`${field},`.repeat(150)}id`;
    expect(await server.call(`/shelves?select=${select}`, { as: caller }), field).toMatchObject(tooComplex);
  }
});

test('a thousand conditions and a limit of a billion rows: refused, and a thousand [H53]', async () => {
  await database.query(`create table public.pebbles as select generate_series(1, 1200) as id;
    grant select on public.pebbles to anon;
    notify pgrst, 'reload schema'`);
  const terms = Array.from({ length: 1_000 }, (_, id) => `id.eq.${id}`).join();
  await expect.poll(async () => (await server.call(`/pebbles?or=(${terms})`)).body).toMatchObject(tooComplex.body);
  expect((await server.call('/pebbles?limit=1000000000')).body).toHaveLength(1_000);
  expect((await server.call('/pebbles?order=id.desc&limit=1&offset=1000000')).body).toEqual([]);
});

test('a regular expression that backtracks without end is stopped after a visitor’s second, and others are served meanwhile [H53]', async () => {
  await database.query(`create table public.walls as select repeat('a', 1001) as word from generate_series(1, 50);
    grant select on public.walls to anon;
    notify pgrst, 'reload schema'`);
  // References back cannot be matched by an automaton: PostgreSQL tries every way to divide the text, and none fits.
  const hostile = encodeURIComponent('^(a*)(a*)(a*)\\1\\2\\3$');
  await expect.poll(async () => (await server.call('/walls?limit=1&select=word')).status).toBe(200);
  await inSomeAttempt(async () => {
    const attacks = Promise.all(
      Array.from({ length: 20 }, () => server.call(`/walls?select=word&word=match.${hostile}`)),
    );
    const startedAt = performance.now();
    const { body: served } = await server.call('/shelves?select=id', { as: caller });
    const waited = performance.now() - startedAt;
    for (const { status, body } of await attacks) {
      expect([status, body.code]).toEqual(status === 500 ? [500, '57014'] : [503, 'PGRST001']);
    }
    expect(served).toEqual([{ id: 1 }]);
    expect(waited).toBeLessThan(900);
  });
  expect((await server.call('/walls?limit=1&select=word')).status).toBe(200);
});

/** Statements of the attacks in the following test. */
const ATTACKS = `from pg_stat_activity
  where datname = current_database() and state = 'active' and query like '%fences%' and pid <> pg_backend_pid()`;

test('a signed-in user’s slow calls delay no other user', async () => {
  await database.query(`create table public.fences as select repeat('a', 1001) as word from generate_series(1, 50);
    grant select on public.fences to authenticated;
    notify pgrst, 'reload schema'`);
  const match = (word: string) =>
    server.call(`/fences?select=word&word=match.${encodeURIComponent(word)}`, { as: caller });
  const { caller: neighbor } = await createOwner(database);
  const read = () => server.call('/shelves?select=id', { as: neighbor });
  const write = () => server.call('/shelves?id=eq.1', { method: 'PATCH', as: neighbor, body: '{"word": "mine"}' });
  await read();
  // Known to be quick, so that the following ones use the shared connections.
  await expect.poll(async () => (await match('b')).status).toBe(200);

  const attacks: ReturnType<typeof match>[] = [];
  for (let burst = 0; burst < 3; burst += 1) {
    for (let count = 0; count < 20; count += 1) attacks.push(match('^(a*)(a*)(a*)\\1\\2\\3$'));
    await setTimeout(40);
  }
  for (let count = 0; count < 5; count += 1) {
    // Without a free connection they would be refused, before the attacks end.
    const responses = await Promise.all([read(), write()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 204]);
    if (count === 0) expect(await database.query(`select ${ATTACKS}`)).not.toEqual([]);
  }

  let responded = false;
  const ended = Promise.all(attacks).finally(() => {
    responded = true;
  });
  const cancel = `select pg_cancel_backend(pid) ${ATTACKS}`;
  await expect.poll(() => database.query(cancel).then(() => responded)).toBe(true);
  for (const { status, body } of await ended) {
    // Canceled, or refused because the account's own calls took too long.
    expect([status, body.code]).toEqual(status === 500 ? [500, '57014'] : [429, 'over_request_rate_limit']);
  }
});

test('500 conditions and no more, also inside of a logic tree', async () => {
  const or = (terms: number) => `/shelves?select=id&or=(${Array(terms).fill('id.eq.1').join(',')})`;
  expect((await server.call(or(500), { as: caller })).body).toEqual([{ id: 1 }]);
  expect(await server.call(or(501), { as: caller })).toMatchObject(tooComplex);
});

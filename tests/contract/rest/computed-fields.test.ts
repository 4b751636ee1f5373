import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startRestServer } from './support/start-rest-server.ts';

const database = await createTestDatabase();
const server = await startRestServer(database);
const visitor = await server.client();

/** Functions of a row as PostgREST's pages write them, without a word on what they change. */
beforeAll(async () => {
  await database.query(`
    create table public.persons (id int primary key, first text, last text, target text default 'none');
    create view public.persons_view with (security_invoker) as select id, first as given from public.persons;
    create table public.visits (id int primary key, person_id int references public.persons, place text);
    create function public.full_name(persons) returns text language sql as $$ select $1.first || ' ' || $1.last $$;
    create function public.is_long(one persons) returns bool stable language sql as 'select length(one.last) > 5';
    create function public.as_json(one persons) returns jsonb stable language sql
      as $$ select jsonb_build_object('first', one.first) $$;
    create function public.greeting(persons_view) returns text immutable language sql as $$ select 'Hi ' || $1.given $$;
    create function public.last_visit(persons) returns setof public.visits rows 1 language sql
      as 'select * from public.visits where person_id = $1.id order by id desc limit 1';
    create function public.all_persons() returns setof public.persons stable language sql as 'table public.persons';
    create function public.note(persons) returns int language sql as 'insert into public.visits values (99) returning id';
    insert into public.persons values (1, 'Ada', 'Lovelace'), (2, 'Alan', 'Turing'), (3, 'Kay', 'Li');
    insert into public.visits values (1, 1, 'London'), (2, 1, 'Turin');
    grant select, insert, update, delete on public.persons, public.persons_view, public.visits to anon;
    grant execute on all functions in schema public to anon;
    notify pgrst, 'reload schema';
  `);
});

test('a function of a row is selected, under an alias, with a cast, and by a path into its JSON', async () => {
  const { data } = await visitor
    .from('persons')
    .select('full_name, name:full_name, is_long::text, as_json->>first')
    .eq('id', 1);
  expect(data).toEqual([{ full_name: 'Ada Lovelace', name: 'Ada Lovelace', is_long: 'true', first: 'Ada' }]);
  const all = await visitor.from('persons').select().eq('id', 2);
  expect(all.data, 'only where it is named').toEqual([{ id: 2, first: 'Alan', last: 'Turing', target: 'none' }]);
});

test('it filters and sorts, also in conditions that are combined, in an embedded relation, and of a view', async () => {
  const filtered = await visitor.from('persons').select('id').ilike('full_name', '%a%l%').order('full_name');
  expect(filtered.data).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  const combined = await visitor
    .from('persons')
    .select('id')
    .or('is_long.is.false,full_name.eq.Ada Lovelace')
    .order('full_name', { ascending: false });
  expect(combined.data).toEqual([{ id: 3 }, { id: 1 }]);
  const embedded = await visitor.from('visits').select('place, persons!inner(full_name)').eq('persons.is_long', true);
  expect(embedded.data?.[0]).toEqual({ place: 'London', persons: { full_name: 'Ada Lovelace' } });
  const ofView = await visitor.from('persons_view').select('greeting').eq('greeting', 'Hi Ada');
  expect(ofView.data).toEqual([{ greeting: 'Hi Ada' }]);
});

test('the response to a change has it, with the new values', async () => {
  const made = { id: 9, first: 'Grace', last: 'Hopper' };
  const shown = 'id, full_name, last_visit(place)';
  const row = { id: 9, full_name: 'Grace Hopper', last_visit: null };
  expect(await visitor.from('persons').insert(made).select(shown)).toMatchObject({ status: 201, data: [row] });
  const changed = await visitor
    .from('persons')
    .upsert({ ...made, last: 'Murray' })
    .select('full_name, is_long');
  expect(changed).toMatchObject({ status: 200, data: [{ full_name: 'Grace Murray', is_long: true }] });
  const updated = await visitor.from('persons').update({ last: 'Ho' }).eq('full_name', 'Grace Murray').select(shown);
  expect(updated.data).toEqual([{ ...row, full_name: 'Grace Ho' }]);
  expect((await visitor.from('persons').delete().eq('is_long', false).eq('id', 9).select('full_name')).data).toEqual([
    { full_name: 'Grace Ho' },
  ]);
});

test('the rows of a function have it', async () => {
  const { data } = await visitor
    .rpc('all_persons')
    .select('full_name, last_visit(place)')
    .eq('is_long', true)
    .order('id');
  expect(data).toEqual([
    { full_name: 'Ada Lovelace', last_visit: { place: 'Turin' } },
    { full_name: 'Alan Turing', last_visit: null },
  ]);
});

test('a read cannot change anything by one, and a right to the function is needed', async () => {
  const { error, status } = await visitor.from('persons').select('note');
  expect([status, error?.code]).toEqual([405, '25006']);
  await database.query('revoke execute on function public.is_long from anon, public');
  expect((await visitor.from('persons').select('is_long')).error).toMatchObject({ code: '42501' });
});

test('an unknown one is an unknown column', async () => {
  expect((await visitor.from('persons').select('nope')).error).toMatchObject({
    code: '42703',
    message: 'column persons.nope does not exist',
  });
});

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { actAs } from '#tests/support/act-as.ts';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const database = await createTestDatabase();
const page = await readFile(new URL('../../../docs/protocol/own-tables.md', import.meta.url), 'utf8');
/** What the page tells an operator to run. */
for (const [, statements = ''] of page.matchAll(/```sql\n([\s\S]*?)```/g)) await database.query(statements);

const server = await startTestServer(database, { environment: { REST_SCHEMAS: 'public,shop' } });
const owner = await createOwner(database);
const signedIn = server.client({ token: await server.token({ sub: owner.id }) }).schema('shop');
const visitor = server.client().schema('shop');
const operator = server.client({ key: server.secrets.secretKey });
const service = operator.schema('shop');

test('the page’s trigger makes a row once the address is proved, and keeps it current', async () => {
  const email = anEmail();
  const client = server.client();
  const options = { data: { full_name: 'Ada' } };
  const { data, error } = await client.auth.signUp({ email, password: 'correct horse', options });
  expect(error).toBeNull();
  const id = data.user?.id ?? '';
  expect(await service.from('members').select().eq('id', id)).toMatchObject({ status: 200, data: [] });

  const token = server.delivery.codeFor(email);
  expect((await client.auth.verifyOtp({ type: 'signup', email, token })).error).toBeNull();
  const own = await client.schema('shop').from('members').select();
  expect(own).toMatchObject({ status: 200, data: [{ id, email, full_name: 'Ada' }] });
  expect(await visitor.from('members').select()).toMatchObject({ status: 200, data: [] });

  const other = anEmail();
  expect((await operator.auth.admin.updateUserById(id, { email: other })).error).toBeNull();
  expect((await service.from('members').select().eq('id', id)).data).toMatchObject([{ email: other }]);
});

test('a new table is open to the secret key, and to clients by its policies only', async () => {
  await database.query(
    `create table shop.prices (id serial primary key, amount integer); notify pgrst, 'reload schema'`,
  );
  await expect.poll(async () => (await service.from('prices').insert({ amount: 5 })).status).toBe(201);
  expect(await signedIn.from('prices').select()).toMatchObject({ status: 200, data: [] });
  expect(await signedIn.from('prices').insert({ amount: 6 })).toMatchObject({ status: 403, error: { code: '42501' } });
  await database.query('create policy "all read" on shop.prices for select to anon, authenticated using (true)');
  expect((await visitor.from('prices').select('amount')).data).toEqual([{ amount: 5 }]);
});

/** What a signed-in account reads: rows, or the code of its refusal. */
async function readMade(): Promise<unknown> {
  const read = actAs(database, owner.caller, (client) => client.query('select id from shop.made'));
  return read.then(({ rows }) => rows).catch((error: { code: unknown }) => error.code);
}

test.each([
  ['a table', 'create table shop.made (id int); insert into shop.made values (1)', []],
  ['a table of a query', 'create table shop.made as select 1 as id', []],
  ['a selection into a table', 'select 1 as id into shop.made', []],
  [
    'a partition',
    'create table shop.whole (id int) partition by range (id); create table shop.made partition of shop.whole default; insert into shop.made values (1)',
    [],
  ],
  ['a view', 'create table shop.whole as select 1 as id; create view shop.made as select id from shop.whole', []],
  [
    'a replaced view',
    'create table shop.whole as select 1 as id; create view shop.made as select id from shop.whole; create or replace view shop.made as select id from shop.whole',
    [],
  ],
  ['a materialized view', 'create materialized view shop.made as select 1 as id', '42501'],
])('clients read no row of %s without a policy [K96]', async (name, statements, outcome) => {
  await database.query(`${statements}; create table if not exists shop.whole ()`);
  expect(await readMade()).toEqual(outcome);
  const kind = name.includes('materialized') ? 'materialized view' : name.includes('view') ? 'view' : 'table';
  await database.query(`drop ${kind} shop.made; drop table shop.whole`);
});

test('a table that was there is put under row-level security with the rest, as often as it is asked', async () => {
  await database.query('create schema plain; create table plain.made (id int)');
  for (let time = 0; time < 2; time += 1) await database.query(`select internal.open_schema('plain')`);
  const rows = await actAs(
    database,
    owner.caller,
    async (client) => (await client.query('select from plain.made')).rows,
  );
  expect(rows).toEqual([]);
});

test('what is outside of opened schemas is left as it is made', async () => {
  await database.query('create schema apart; create table apart.one (id int)');
  const secured = await database.query(`select relrowsecurity from pg_class where oid = 'apart.one'::regclass`);
  expect(secured).toEqual([{ relrowsecurity: false }]);
});

test('an account that may not make the event trigger opens nothing, and learns why [K96]', async () => {
  // One transaction, which the refusal rolls back.
  const opening = database.query(`
    create role shopkeeper;
    grant usage on schema internal to shopkeeper;
    grant execute on function internal.open_schema to shopkeeper;
    create schema kept authorization shopkeeper;
    drop event trigger secure_new_tables;
    set local role shopkeeper;
    select internal.open_schema('kept');
  `);
  await expect(opening).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('Only a superuser') });
});

test('the product’s own schemas are not opened [K96]', async () => {
  for (const schema of ['public', 'auth', 'internal']) {
    await expect(database.query('select internal.open_schema($1)', [schema])).rejects.toThrow('a schema of their own');
  }
});

test('the log warns of tables without row-level security, and of those without a policy', async () => {
  await database.query(`
    create table shop.silent (id int);
    create table shop.loud (id int);
    alter table shop.loud disable row level security;
    notify pgrst, 'reload schema';
  `);
  const log = () => server.logged.join('\n');
  await expect.poll(log).toContain('"tables":["shop.loud"]');
  await expect.poll(log).toMatch(/"tables":\[[^\]]*"shop.silent"/);
  expect(log()).not.toMatch(/"tables":\[[^\]]*"(public|shop\.members)/);
});

test('the schemas of the extra search path follow the request’s own', async () => {
  await database.query(`create function shop.search_path() returns text language sql as $$ select current_setting('search_path') $$;
    grant execute on function shop.search_path() to service_role`);
  const pathWith = async (environment: Record<string, string>) => {
    const other = await startTestServer(database, { environment: { REST_SCHEMAS: 'public,shop', ...environment } });
    return other.client({ key: other.secrets.secretKey }).schema('shop').rpc('search_path');
  };
  expect(await pathWith({})).toMatchObject({ data: 'shop, public' });
  expect(await pathWith({ REST_EXTRA_SEARCH_PATH: 'public,storage' })).toMatchObject({ data: 'shop, public, storage' });
});

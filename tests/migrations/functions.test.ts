import { expect, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { readSchema } from '#server/postgres/migrations/read-schema.ts';
import { rehearse } from '#tests/support/act-as.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { createBareDatabase, type EmptyDatabase } from './empty-database.ts';
import { databaseFolder } from './migration-folder.ts';

const { address: cluster } = thisCluster();

/** A function of one argument that returns a number. */
const one = (number: number, type = 'int') =>
  `create or replace function public.one(a ${type}) returns int language sql as $$ select ${number} $$;\n`;
const FILE = 'functions/owner/one.sql';

async function start(database: EmptyDatabase, files: Record<string, string>, release?: string) {
  const log = keepingLog();
  const directory = await databaseFolder(files);
  await migrate({ address: database.address, directory, log, ...(release !== undefined && { release }) });
  return log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
}

async function call(database: EmptyDatabase): Promise<unknown> {
  const [row] = await database.query<{ one: number }>('select public.one(7)');
  return row?.one;
}

test('a function follows its file, and one without a file is gone', async () => {
  const database = await createBareDatabase(cluster);
  await start(database, { [FILE]: one(1) });
  expect(await call(database)).toBe(1);
  await start(database, { [FILE]: one(2) });
  expect(await call(database)).toBe(2);
  await start(database, { 'functions/finder/one.sql': one(2) });
  expect(await call(database)).toBe(2);
  await start(database, {});
  await expect(call(database)).rejects.toThrow('function public.one(integer) does not exist');
  expect(await database.query('select from internal.functions')).toEqual([]);
});

test('a file that has not changed is not run again', async () => {
  const database = await createBareDatabase(cluster);
  await start(database, { [FILE]: one(1) });
  await database.query(one(5));
  await start(database, { [FILE]: one(1) });
  expect(await call(database)).toBe(5);
});

test('visitors and owners may execute what the file grants, and what it granted before is revoked', async () => {
  const database = await createBareDatabase(cluster);
  const grantees = async () =>
    (
      await database.query<{ role: string }>(
        `select role from unnest('{anon,authenticated}'::text[]) as role
           where has_function_privilege(role, 'public.one(int)', 'execute') order by role`,
      )
    ).map(({ role }) => role);
  await database.query('alter default privileges revoke execute on functions from public');
  await start(database, { [FILE]: `${one(1)}grant execute on function public.one(int) to anon, authenticated;\n` });
  expect(await grantees()).toEqual(['anon', 'authenticated']);
  await start(database, { [FILE]: `${one(1)}grant execute on function public.one(int) to authenticated;\n` });
  expect(await grantees()).toEqual(['authenticated']);
});

test('a change of arguments must name what it replaces', async () => {
  const database = await createBareDatabase(cluster);
  await start(database, { [FILE]: one(1) });
  await expect(start(database, { [FILE]: one(2, 'bigint') })).rejects.toThrow(
    'The file of public.one must begin with a "drop function if exists"',
  );
  expect(await call(database)).toBe(1);
  await start(database, { [FILE]: `drop function if exists public.one(int);\n${one(2, 'bigint')}` });
  expect(await call(database)).toBe(2);
});

test('an earlier release leaves the functions of a later one alone, and says so', async () => {
  const database = await createBareDatabase(cluster);
  await start(database, { [FILE]: one(1) }, '1.9.0');
  expect(await start(database, { [FILE]: one(2) }, '1.10.0')).toEqual([]);
  expect(await start(database, { [FILE]: one(1) }, '1.9.0')).toEqual([
    'The database keeps the functions of a later release than this one.',
  ]);
  expect(await call(database)).toBe(2);
});

test('a migration and a function that belong together are applied together, or not at all', async () => {
  const database = await createBareDatabase(cluster);
  const migration = `create table public.things (a int default public.one(1));`;
  const files = { [FILE]: one(1), 'migrations/000095_things.sql': migration };
  await expect(start(database, { ...files, 'migrations/000096_fails.sql': 'select 1 / 0;' })).rejects.toThrow(
    '000096_fails.sql failed, and the update was undone: division by zero',
  );
  await expect(call(database)).rejects.toThrow('does not exist');
  await start(database, files);
  expect(await call(database)).toBe(1);
});

test('a file that defines another function than its name says is refused', async () => {
  const database = await createBareDatabase(cluster);
  await expect(start(database, { 'functions/owner/two.sql': one(1) })).rejects.toThrow(
    'The file owner/two.sql must contain one "create or replace function" of the name that the file has',
  );
});

test("every function passes PostgreSQL's own check of its body", async () => {
  const database = await createTestDatabase();
  const { functions } = await readSchema(DATABASE_FOLDER);
  expect(functions.length).toBeGreaterThan(100);
  await rehearse(database, async (client) => {
    await client.query('set local check_function_bodies = on');
    for (const { sql } of functions) await client.query(sql);
  });
});

test('no migration defines a function of ours, or calls one', async () => {
  const { migrations, functions } = await readSchema(DATABASE_FOLDER);
  const names = functions.map(({ defines }) => defines);
  /** A policy calls what it names when it is used, as a trigger does. */
  const calling = (sql: string) => sql.replaceAll(/^create policy [^;]*;/gm, '');
  const offences = (sql: string) => [
    ...(/create\s+(or\s+replace\s+)?function/i.exec(sql) ?? []).slice(0, 1),
    ...names.filter((name) => calling(sql).includes(`${name}(`) && !sql.includes(`execute function ${name}(`)),
  ];
  expect(offences(one(1))).toEqual(['create or replace function']);
  expect(offences('update public.items set item_name = internal.trim_message(item_name);')).toEqual([
    'internal.trim_message',
  ]);
  const policy = 'create policy "own" on public.items using (user_id = (select auth.uid()));\n';
  expect(offences(policy)).toEqual([]);
  expect(offences(`${policy}update public.items set user_id = auth.uid();`)).toEqual(['auth.uid']);
  for (const { name, sql } of migrations) expect({ name, offences: offences(sql) }).toEqual({ name, offences: [] });
});

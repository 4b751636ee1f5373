import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, emptyFolder, expectSeven, hold, keepSeven, killed, newFolder, start } from './engine-folder.ts';

test('it is PostgreSQL 18, durable, on this machine only, with text sorted alike everywhere', async () => {
  const { address } = await start(await newFolder());
  const [settings] = await ask(
    address,
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
      current_setting('listen_addresses') as tcp, current_setting('timezone') as zone,
      current_setting('max_connections') as connections,
      datlocale as locale, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  );
  expect(settings).toEqual({
    version: 18,
    fsync: 'on',
    commit: 'on',
    pages: 'on',
    tcp: '',
    zone: 'UTC',
    connections: '60',
    locale: 'C.UTF-8',
    encoding: 'UTF8',
  });
});

test('the engine accepts only the generated password, and no other user can read it', async () => {
  const folder = await newFolder();
  const { address } = await start(folder);
  await expect(ask({ ...address, password: 'guess' }, 'select 1')).rejects.toThrow(/password authentication failed/);
  expect((await stat(join(folder, 'postgres/reunite-password'))).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'postgres'))).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'postgres.log'))).mode & 0o077).toBe(0);
});

test('its log contains its start, and no text of users', async () => {
  const folder = await newFolder();
  const { address } = await start(folder);
  await expect(ask(address, "select 'olive@example.com'::uuid")).rejects.toThrow('olive@example.com');
  await expect(ask(address, "do $$ begin raise warning 'olive@example.com'; end $$")).resolves.toEqual([]);
  const printed = await readFile(join(folder, 'postgres.log'), 'utf8');
  expect(printed).toContain('database system is ready to accept connections');
  expect(printed).not.toContain('olive');
});

test('two databases have two passwords', async () => {
  const first = await start(await emptyFolder());
  const second = await start(await newFolder());
  expect(first.address.password).not.toBe(second.address.password);
});

test('committed data is there after a stop and a start', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  await keepSeven(first.address);
  await first.stop();
  const second = await start(folder);
  await expectSeven(second.address);
});

test('a lost password file is replaced by a new password, and the data stays', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  await keepSeven(first.address);
  await first.stop();
  await rm(join(folder, 'postgres/reunite-password'));
  const second = await start(folder);
  expect(second.address.password).not.toBe(first.address.password);
  await expectSeven(second.address);
});

test('a password that PostgreSQL does not accept is refused with one sentence, and nothing is left running', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'postgres/reunite-password'), 'not it\n');
  await expect(start(folder)).rejects.toThrow(/Remove that file, and the next start sets a new one/);
  await expect(stat(join(folder, 'postgres/postmaster.pid'))).rejects.toThrow(/ENOENT/);
});

test('a first start that is killed half-way does not disturb the next one', async () => {
  const folder = await emptyFolder();
  const { program } = hold(folder);
  // initdb writes PG_VERSION among its first files, before most of its work.
  await expect.poll(() => unfinishedIn(folder), { interval: 2 }).toContain('PG_VERSION');
  await killed(program);
  expect(await readdir(folder)).not.toContain('postgres');
  const engine = await start(folder);
  await keepSeven(engine.address);
  await expectSeven(engine.address);
  expect((await readdir(folder)).filter((name) => name.endsWith('.new'))).toEqual([]);
});

async function unfinishedIn(folder: string): Promise<string[]> {
  const unfinished = (await readdir(folder)).find((name) => name.endsWith('.new'));
  return unfinished === undefined ? [] : readdir(join(folder, unfinished, 'data')).catch(() => []);
}

test('an empty folder is used, and one with other content is refused and left unchanged', async () => {
  const empty = await emptyFolder();
  await mkdir(join(empty, 'postgres'));
  await keepSeven((await start(empty)).address);

  const full = await emptyFolder();
  await mkdir(join(full, 'postgres'));
  await writeFile(join(full, 'postgres/diary.txt'), 'Dear diary');
  await expect(start(full)).rejects.toThrow(/is not empty and is not a database/);
  expect(await readFile(join(full, 'postgres/diary.txt'), 'utf8')).toBe('Dear diary');
});

test('a link with a missing target is refused with one sentence', async () => {
  const folder = await emptyFolder();
  await symlink(join(folder, 'unplugged/postgres'), join(folder, 'postgres'));
  await expect(start(folder)).rejects.toThrow(/is a link to .*, which is not there/);
});

test('data of another major version is refused with one sentence', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n');
  await expect(start(folder)).rejects.toThrow(/was made by PostgreSQL 17, and this is PostgreSQL 18/);
});

test('a setting that PostgreSQL refuses is reported in its own words', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'postgres/postgresql.auto.conf'), "no_such_setting = 'on'\n");
  await expect(start(folder)).rejects.toThrow(/did not start \(exit code 1\).*\n.*no_such_setting/s);
});

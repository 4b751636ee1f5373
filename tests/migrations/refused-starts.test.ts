import { expect, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { MigrationError } from '#server/postgres/migrations/migration-error.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { keepingLog, quietLog } from '#tests/support/quiet-log.ts';
import { createBareDatabase, type EmptyDatabase } from './empty-database.ts';
import { databaseFolder, writeSql } from './migration-folder.ts';

const { address: cluster } = thisCluster();
const OLD_PROGRAM = { 'migrations/000095_a.sql': 'create table public.a (id int);' };

/** What the migrator refuses with. */
async function refusal(database: EmptyDatabase, directory: string): Promise<MigrationError> {
  const outcome = await migrate({ address: database.address, directory, log: quietLog }).catch((error) => error);
  expect(outcome).toBeInstanceOf(MigrationError);
  return outcome;
}

test('a program that is older than a breaking migration does not start, and one older than a compatible one does', async () => {
  const database = await createBareDatabase(cluster);
  const oldProgram = await databaseFolder(OLD_PROGRAM);
  const newProgram = await databaseFolder({
    ...OLD_PROGRAM,
    'migrations/000096_b.sql': 'create table public.b (id int);',
  });
  await migrate({ address: database.address, directory: newProgram, log: quietLog });

  const log = keepingLog();
  expect(await migrate({ address: database.address, directory: oldProgram, log })).toEqual([]);
  expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      fields: { migration: '000096_b.sql' },
      message: 'The database has a newer, compatible migration that this program does not know.',
    },
  ]);

  const breaking = '-- kind: breaking\n-- Takes a table away.\ndrop table public.a;\n';
  await writeSql(newProgram, 'migrations/000097_c.sql', breaking);
  await migrate({ address: database.address, directory: newProgram, log: quietLog });
  const { message } = await refusal(database, oldProgram);
  expect(message).toContain('This program is older than its database: 000097_c.sql');
});

test('an edited migration is refused, and what follows it is not applied', async () => {
  const database = await createBareDatabase(cluster);
  const directory = await databaseFolder(OLD_PROGRAM);
  await migrate({ address: database.address, directory, log: quietLog });
  await writeSql(directory, 'migrations/000095_a.sql', 'create table public.a (id bigint);');
  await writeSql(directory, 'migrations/000096_b.sql', 'create table public.b (id int);');

  const { message } = await refusal(database, directory);
  expect(message).toContain('000095_a.sql was edited after it had been applied to this database');
  expect(await database.query("select to_regclass('public.b') as b")).toEqual([{ b: null }]);
});

test('a file checked out with Windows line ends is still the same migration', async () => {
  const database = await createBareDatabase(cluster);
  const text = '-- kind: compatible\n-- Makes a table.\ncreate table public.a (id int);\n';
  await migrate({
    address: database.address,
    directory: await databaseFolder({ 'migrations/000095_a.sql': text }),
    log: quietLog,
  });
  const windows = await databaseFolder({ 'migrations/000095_a.sql': text.replaceAll('\n', '\r\n') });
  expect(await migrate({ address: database.address, directory: windows, log: quietLog })).toEqual([]);
});

test('an update that fails is undone as a whole, and says what PostgreSQL said', async () => {
  const database = await createBareDatabase(cluster);
  const directory = await databaseFolder({
    ...OLD_PROGRAM,
    'migrations/000096_b.sql': 'create table public.b (id int); insert into public.b values (1 / 0);',
  });
  const { message, cause } = await refusal(database, directory);
  expect(message).toBe('000096_b.sql failed, and the update was undone: division by zero');
  expect(cause).toMatchObject({ code: '22012' });
  expect(await database.query("select to_regclass('public.a') as a, to_regclass('public.b') as b")).toEqual([
    { a: null, b: null },
  ]);

  await writeSql(directory, 'migrations/000096_b.sql', 'create table public.b (id int);');
  expect(await migrate({ address: database.address, directory, log: quietLog })).toEqual([
    '000095_a.sql',
    '000096_b.sql',
  ]);
});

test('a migration that ends its own transaction is refused and not recorded as applied', async () => {
  const database = await createBareDatabase(cluster);
  const directory = await databaseFolder({ 'migrations/000095_a.sql': 'rollback; create table public.a (id int);' });
  const { message } = await refusal(database, directory);
  expect(message).toContain('000095_a.sql ends the transaction it runs in');
  expect(await database.query('select name from internal.migrations')).toEqual([{ name: '000094_baseline' }]);
});

test('the error names a server that does not respond', async () => {
  const directory = await databaseFolder(OLD_PROGRAM);
  const address = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'nowhere' };
  const outcome = migrate({ address, directory, log: quietLog });
  await expect(outcome).rejects.toThrow(MigrationError);
  await expect(outcome).rejects.toThrow('PostgreSQL could not be reached: connect ECONNREFUSED 127.0.0.1:1');
});

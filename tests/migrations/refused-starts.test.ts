import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#server/postgres/migrate.ts';
import { MigrationError } from '#server/postgres/migrations/migration-error.ts';
import { thisCluster } from '#tests/support/clusters/this-cluster.ts';
import { keepingLog, quietLog } from '#tests/support/quiet-log.ts';
import { createEmptyDatabase, type EmptyDatabase } from './empty-database.ts';
import { migrationFolder, writeMigration } from './migration-folder.ts';

const { address: cluster } = thisCluster();
const OLD_PROGRAM = { '000001_a.sql': 'create table public.a (id int);' };

async function emptyDatabase(): Promise<EmptyDatabase> {
  const database = await createEmptyDatabase(cluster);
  onTestFinished(database.drop);
  return database;
}

/** What the migrator refuses with. */
async function refusal(database: EmptyDatabase, directory: string): Promise<MigrationError> {
  const outcome = await migrate({ address: database.address, directory, log: quietLog }).catch((error) => error);
  expect(outcome).toBeInstanceOf(MigrationError);
  return outcome;
}

test('a program that is older than a breaking migration does not start, and one older than a compatible one does', async () => {
  const database = await emptyDatabase();
  const oldProgram = await migrationFolder(OLD_PROGRAM);
  const newProgram = await migrationFolder({ ...OLD_PROGRAM, '000002_b.sql': 'create table public.b (id int);' });
  await migrate({ address: database.address, directory: newProgram, log: quietLog });

  const log = keepingLog();
  expect(await migrate({ address: database.address, directory: oldProgram, log })).toEqual([]);
  expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      fields: { migration: '000002_b.sql' },
      message: 'The database has a newer, compatible migration that this program does not know.',
    },
  ]);

  const breaking = '-- kind: breaking\n-- Takes a table away.\ndrop table public.a;\n';
  await writeMigration(newProgram, '000003_c.sql', breaking);
  await migrate({ address: database.address, directory: newProgram, log: quietLog });
  const { message } = await refusal(database, oldProgram);
  expect(message).toContain('This program is older than its database: 000003_c.sql');
});

test('an edited migration is refused, and what follows it is not applied', async () => {
  const database = await emptyDatabase();
  const directory = await migrationFolder(OLD_PROGRAM);
  await migrate({ address: database.address, directory, log: quietLog });
  await writeMigration(directory, '000001_a.sql', 'create table public.a (id bigint);');
  await writeMigration(directory, '000002_b.sql', 'create table public.b (id int);');

  const { message } = await refusal(database, directory);
  expect(message).toContain('000001_a.sql was edited after it had been applied to this database');
  expect(await database.query("select to_regclass('public.b') as b")).toEqual([{ b: null }]);
});

test('a file checked out with Windows line ends is still the same migration', async () => {
  const database = await emptyDatabase();
  const text = '-- kind: compatible\n-- Makes a table.\ncreate table public.a (id int);\n';
  await migrate({
    address: database.address,
    directory: await migrationFolder({ '000001_a.sql': text }),
    log: quietLog,
  });
  const windows = await migrationFolder({ '000001_a.sql': text.replaceAll('\n', '\r\n') });
  expect(await migrate({ address: database.address, directory: windows, log: quietLog })).toEqual([]);
});

test('a failing migration is undone as a whole, and says what PostgreSQL said', async () => {
  const database = await emptyDatabase();
  const directory = await migrationFolder({
    ...OLD_PROGRAM,
    '000002_b.sql': 'create table public.b (id int); insert into public.b values (1 / 0);',
  });
  const { message, cause } = await refusal(database, directory);
  expect(message).toBe('The migration 000002_b.sql failed and was undone: division by zero');
  expect(cause).toMatchObject({ code: '22012' });
  expect(await database.query("select to_regclass('public.a') as a, to_regclass('public.b') as b")).toEqual([
    { a: 'a', b: null },
  ]);

  await writeMigration(directory, '000002_b.sql', 'create table public.b (id int);');
  expect(await migrate({ address: database.address, directory, log: quietLog })).toEqual(['000002_b.sql']);
});

test('a migration that ends its own transaction is refused and not recorded as applied', async () => {
  const database = await emptyDatabase();
  const directory = await migrationFolder({ '000001_a.sql': 'rollback; create table public.a (id int);' });
  const { message } = await refusal(database, directory);
  expect(message).toContain('000001_a.sql ends the transaction it runs in');
  expect(await database.query('select from internal.migrations')).toEqual([]);
});

test('the error names a server that does not respond', async () => {
  const directory = await migrationFolder(OLD_PROGRAM);
  const address = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'nowhere' };
  const outcome = migrate({ address, directory, log: quietLog });
  await expect(outcome).rejects.toThrow(MigrationError);
  await expect(outcome).rejects.toThrow('PostgreSQL could not be reached: connect ECONNREFUSED 127.0.0.1:1');
});

import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBackup } from '#server/backup/create-backup.ts';
import { NO_FILES, restoreBackup } from '#server/backup/restore-backup.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { BASELINE, numbered } from '#server/postgres/migrations/read-migrations.ts';
import { readSchema } from '#server/postgres/migrations/read-schema.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { keepingLog } from '#tests/support/quiet-log.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { emptyDatabase, runBackup, withClient } from './run-backup.ts';

const database = await createTestDatabase();
await database.query(
  `insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'olive@example.com', now())`,
);
const folder = await temporaryFolder();
const log = keepingLog();

/** A later release: its tables have a column more, by a migration. */
const laterRoot = await temporaryFolder();
const { migrations } = await readSchema(DATABASE_FOLDER);
const next = numbered((migrations.at(-1)?.number ?? BASELINE) + 1);
await cp(DATABASE_FOLDER, join(laterRoot, 'database'), { recursive: true });
await writeFile(
  join(laterRoot, `database/migrations/${next}_color.sql`),
  `-- kind: compatible\n-- Accounts have a color.\nalter table auth.users add column color text not null default 'red';\n`,
);
const accounts = join(laterRoot, 'database/tables/01-accounts.sql');
const added = `\nalter table auth.users add column color text not null default 'red';\n`;
await writeFile(accounts, (await readFile(accounts, 'utf8')) + added);

const noBlobs = { open: async () => null };

async function backUp(of: Parameters<typeof createBackup>[0]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await createBackup(of, async (bytes) => void chunks.push(bytes));
  return Buffer.concat(chunks);
}

async function* bytesOf(backup: Buffer) {
  yield backup;
}

test('a backup of an older release gets its own tables, and then the migrations since [K98]', async () => {
  const backup = await backUp({ address: database.address, root: PROJECT_ROOT, blobs: noBlobs });
  const address = await emptyDatabase();
  const options = { address, root: laterRoot, log, files: NO_FILES, now: new Date() };
  await restoreBackup(bytesOf(backup), options);
  const { rows } = await withClient(address, (client) => client.query('select email, color from auth.users'));
  expect(rows).toEqual([{ email: 'olive@example.com', color: 'red' }]);
  // A start of that release finds nothing to do.
  expect(await migrate({ address, directory: join(laterRoot, 'database'), log })).toEqual([]);
});

test('a backup of a later release is refused, and so is a backup by another release than the service’s [K98]', async () => {
  const later = await emptyDatabase();
  await migrate({ address: later, directory: join(laterRoot, 'database'), log });
  const file = join(folder, 'later.tar');
  await writeFile(file, await backUp({ address: later, root: laterRoot, blobs: noBlobs }));
  const target = { address: await emptyDatabase(), folder };
  expect(await runBackup(target, 'restore', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('later than this program'),
  });
  const { rows } = await withClient(target.address, (client) =>
    client.query(`select from pg_class where relnamespace = 'public'::regnamespace`),
  );
  expect(rows).toEqual([]);
  expect((await runBackup({ address: later, folder }, 'create')).stderr).toContain('another version of this program');
});

import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';

/**
 * A folder like `database/` with its schemas and these files for the rest of the test, such as `migrations/000095_a.sql`.
 * A migration without a header gets a compatible one.
 */
export async function databaseFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'database-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'migrations'));
  await cp(join(DATABASE_FOLDER, 'schemas.sql'), join(folder, 'schemas.sql'));
  for (const [name, sql] of Object.entries(files)) await writeSql(folder, name, sql);
  return folder;
}

export async function writeSql(folder: string, name: string, sql: string): Promise<void> {
  const isBare = name.startsWith('migrations/') && !sql.startsWith('-- kind:');
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), isBare ? `-- kind: compatible\n-- A step of a test.\n${sql}\n` : sql);
}

import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MIGRATIONS } from '#tests/support/clusters/make-template.ts';

/** A folder with these files for the rest of the test; a file without a header gets a compatible one. */
export async function migrationFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) await writeMigration(folder, name, sql);
  return folder;
}

export async function writeMigration(folder: string, name: string, sql: string): Promise<void> {
  const text = sql.startsWith('-- kind:') ? sql : `-- kind: compatible\n-- A step of a test.\n${sql}\n`;
  await writeFile(join(folder, name), text);
}

/** A folder with our own migrations up to this number, as an older installation has them, for the rest of the test. */
export async function migrationsUpTo(last: number): Promise<string> {
  const folder = await migrationFolder({});
  for (const name of await readdir(MIGRATIONS)) {
    if (Number(name.slice(0, 6)) <= last) await cp(join(MIGRATIONS, name), join(folder, name));
  }
  return folder;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

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

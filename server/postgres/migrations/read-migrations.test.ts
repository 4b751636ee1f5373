import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MigrationError } from './migration-error.ts';
import { parseMigration, readMigrations } from './read-migrations.ts';

const TEXT = '-- kind: compatible\n-- Adds a table.\n\ncreate table a (b int);\n';

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

test('files are read in the order of their numbers, and others are left alone', async () => {
  const folder = await folderOf({
    '000096_b.sql': TEXT.replace('compatible', 'breaking'),
    '000095_a.sql': TEXT,
    'README.md': 'Words.',
  });
  const migrations = await readMigrations(folder);
  expect(migrations.map(({ number, name, kind }) => [number, name, kind])).toEqual([
    [95, '000095_a.sql', 'compatible'],
    [96, '000096_b.sql', 'breaking'],
  ]);
});

test('the checksum is the same whatever the line ends and the byte order mark', () => {
  const unix = parseMigration('000095_a.sql', TEXT);
  const windows = parseMigration('000095_a.sql', `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`);
  expect(windows.checksum).toBe(unix.checksum);
  expect(windows.sql).toBe(unix.sql);
});

test('one changed character changes the checksum', () => {
  const before = parseMigration('000095_a.sql', TEXT);
  expect(parseMigration('000095_a.sql', TEXT.replace('b int', 'c int')).checksum).not.toBe(before.checksum);
  expect(parseMigration('000095_a.sql', `${TEXT}\n`).checksum).not.toBe(before.checksum);
});

test.each([
  ['no header', 'create table a (b int);\n', 'The first line of 000095_a.sql must be'],
  ['an unknown kind', TEXT.replace('compatible', 'harmless'), 'The first line of 000095_a.sql must be'],
  ['a header further down', `\n${TEXT}`, 'The first line of 000095_a.sql must be'],
  ['no sentence', '-- kind: breaking\ncreate table a (b int);\n', 'The second line of 000095_a.sql must be'],
])('%s is refused', (_, text, message) => {
  expect(() => parseMigration('000095_a.sql', text)).toThrow(MigrationError);
  expect(() => parseMigration('000095_a.sql', text)).toThrow(message);
});

test.each(['95_a.sql', '000095-a.sql', '000095_A.sql', 'a.sql', '0000095_a.sql'])('the name %s is refused', (name) => {
  expect(() => parseMigration(name, TEXT)).toThrow('should be named like');
});

test('a missing number is refused', async () => {
  const folder = await folderOf({ '000095_a.sql': TEXT, '000097_c.sql': TEXT });
  await expect(readMigrations(folder)).rejects.toThrow('000097_c.sql should have the number 000096');
});

test('a number that is there twice is refused', async () => {
  const folder = await folderOf({ '000095_a.sql': TEXT, '000095_b.sql': TEXT });
  await expect(readMigrations(folder)).rejects.toThrow('000095_b.sql should have the number 000096');
});

import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { createFile, replaceFile } from './whole-file.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('a file is replaced, and only its writer can read it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'a');
  await replaceFile(path, 'one');
  await replaceFile(path, 'two');
  expect(await readFile(path, 'utf8')).toBe('two');
  expect(await modeOf(path)).toBe('600');
  expect(await readdir(folder)).toEqual(['a']);
});

test('of many that create a file at once, one does, and the others leave its text', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'a');
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  const created = await Promise.all(texts.map((text) => createFile(path, text)));
  expect(created.filter(Boolean)).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toBe(texts[created.indexOf(true)]);
  expect(await readdir(folder)).toEqual(['a']);
});

test('a file for all accounts can be read by all', async () => {
  const path = join(await temporaryFolder(), 'a');
  await createFile(path, 'one', { mode: 0o644 });
  expect(await modeOf(path)).toBe('644');
});

test('a file that cannot be put in its place leaves nothing beside it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'a');
  await mkdir(path);
  await expect(replaceFile(path, 'one')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['a']);
});

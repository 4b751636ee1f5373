import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, readdir, readlink, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseAccount } from '#server/postgres/embedded/choose-account.ts';
import { placePrograms } from '#server/postgres/embedded/place-programs.ts';
import { SHARED_FOLDER } from '#server/postgres/embedded/shared-folder.ts';
import { afterThis, emptyFolder, isRoot } from './engine-folder.ts';

/** The installed programs again, in a folder of the test's own. */
async function installedAgain(): Promise<{ folder: string; version: string }> {
  const { postgres } = await placePrograms(null);
  const parent = await emptyFolder();
  execFileSync('cp', ['-a', dirname(dirname(postgres)), parent]);
  return { folder: join(parent, 'native'), version: `test-${randomBytes(6).toString('hex')}` };
}

test('libraries are linked where the package was installed without its install script', async () => {
  const source = await installedAgain();
  const libraries = join(source.folder, 'lib');
  let removed = 0;
  for (const name of await readdir(libraries)) {
    if (await readlink(join(libraries, name)).catch(() => null)) {
      await rm(join(libraries, name));
      removed += 1;
    }
  }
  expect(removed).toBeGreaterThan(0);
  const { postgres } = await placePrograms(null, source);
  expect(execFileSync(postgres, ['--version'], { encoding: 'utf8' })).toMatch(/^postgres \(PostgreSQL\) 18/);
});

test('programs that do not run on this machine are refused with the system’s error', async () => {
  const source = await installedAgain();
  await rm(join(source.folder, 'bin/postgres'));
  await expect(placePrograms(null, source)).rejects.toThrow(/does not run on this system: .*ENOENT/);
});

test.runIf(isRoot)('programs that the account cannot reach are copied once, and again when damaged', async () => {
  const source = await installedAgain();
  await chmod(dirname(source.folder), 0o700);
  const account = await chooseAccount('/nowhere');
  const copy = join(SHARED_FOLDER, `postgresql-${source.version}`);
  afterThis(() => rm(copy, { recursive: true, force: true }));

  const all = await Promise.all([1, 2, 3].map(() => placePrograms(account, source)));
  for (const { postgres } of all) expect(postgres).toBe(join(copy, 'bin/postgres'));
  const { ino } = await stat(join(copy, 'bin/postgres'));
  await placePrograms(account, source);
  expect((await stat(join(copy, 'bin/postgres'))).ino).toBe(ino);
  // The account can run it and cannot change it.
  expect(await stat(join(copy, 'bin/postgres'))).toMatchObject({ uid: 0 });

  await rm(join(copy, 'lib'), { recursive: true });
  const { postgres } = await placePrograms(account, source);
  expect(execFileSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' })).toMatch(/18/);
  expect((await readdir(SHARED_FOLDER)).filter((name) => name.includes(`${source.version}.`))).toEqual([]);
});

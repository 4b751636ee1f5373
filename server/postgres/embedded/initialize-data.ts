import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from './choose-account.ts';
import { isAlive } from './processes.ts';

const run = promisify(execFile);

export const SUPERUSER = 'reunite';
const PASSWORD_FILE = 'reunite-password';

/**
 * Makes the data folder on the first start and returns the superuser's password, which is kept inside it (mode 0600).
 * It is made under another name and renamed when complete, so a start that is cut off leaves nothing half made.
 */
export async function initializeData(initdb: string, data: string, account: Account | null): Promise<string> {
  await removeUnfinished(data);
  if (!(await exists(join(data, 'PG_VERSION')))) await make(initdb, data, account);
  await refuseOtherVersion(data);
  return (await readFile(join(data, PASSWORD_FILE), 'utf8')).trim();
}

async function make(initdb: string, data: string, account: Account | null): Promise<void> {
  const work = `${data}.${process.pid}.new`;
  const fresh = join(work, 'data');
  const passwordFile = join(work, 'password');
  await mkdir(work, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null) for (const path of [work, passwordFile]) await chown(path, account.uid, account.gid);

  // The built-in C.UTF-8 sorts alike on every machine, whatever its libraries say.
  const flags = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await run(initdb, ['-D', fresh, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...flags], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  await rename(passwordFile, join(fresh, PASSWORD_FILE));
  await rename(fresh, data).catch((error: NodeJS.ErrnoException) => {
    // Another first start was faster; PostgreSQL's own lock decides who of us goes on.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await rm(work, { recursive: true, force: true });
}

/** What first starts left behind that were ended half-way. */
async function removeUnfinished(data: string): Promise<void> {
  const prefix = `${basename(data)}.`;
  for (const name of await readdir(dirname(data))) {
    if (!name.startsWith(prefix) || !name.endsWith('.new')) continue;
    const pid = Number(name.slice(prefix.length, -'.new'.length));
    if (pid !== process.pid && Number.isInteger(pid) && isAlive(pid)) continue;
    await rm(join(dirname(data), name), { recursive: true, force: true });
  }
}

const MAJOR_VERSION = '18';

async function refuseOtherVersion(data: string): Promise<void> {
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  if (version === MAJOR_VERSION) return;
  throw new OperatorError(
    `The database in ${data} was made by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR_VERSION}. Back it up with the version that made it, and restore it here.`,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { flushFolder } from '#server/data-folder/whole-file.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { Account } from './choose-account.ts';
import { endWithUs } from './end-with-us.ts';
import { generatePassword, keepPassword, SUPERUSER } from './superuser-password.ts';

const run = promisify(execFile);

const MAJOR_VERSION = '18';

/**
 * Creates the data folder at the first start. Requires the lock. It is created under a temporary name and renamed when
 * complete, so an interrupted start leaves nothing partial.
 *
 * With `durable: false` the files are not flushed to disk. Throws an OperatorError where initdb fails, or where another
 * PostgreSQL version created the folder.
 */
export async function initializeData(
  initdb: string,
  data: string,
  { account, durable }: { account: Account | null; durable: boolean },
): Promise<void> {
  await removeUnfinished(data);
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version !== null) {
    refuseOtherVersion(data, version.trim());
    return;
  }
  // A unique name: the initdb of a killed start may still be running and must not write into ours.
  const work = `${data}.${randomBytes(6).toString('hex')}.new`;
  const fresh = join(work, 'data');
  const passwordFile = join(work, 'password');
  const password = generatePassword();
  await mkdir(work, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null) for (const path of [work, passwordFile]) await chown(path, account.uid, account.gid);

  await makeFiles(initdb, fresh, passwordFile, { account, durable });
  await keepPassword(fresh, password, account);
  await rename(fresh, data).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOTEMPTY' && cause.code !== 'EEXIST' && cause.code !== 'ENOTDIR') throw cause;
    throw new OperatorError(
      `${data} is not empty and is not a database. Move what is in it elsewhere, or give this server its own folder with DATA_DIRECTORY.`,
      { cause },
    );
  });
  if (durable) await flushFolder(dirname(data));
  await rm(work, { recursive: true, force: true });
}

async function makeFiles(
  initdb: string,
  fresh: string,
  passwordFile: string,
  { account, durable }: { account: Account | null; durable: boolean },
): Promise<void> {
  const flags = [
    '--encoding=UTF8',
    // The built-in C.UTF-8 sorts the same on every machine, independent of its libraries.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    const making = run(initdb, ['-D', fresh, '-U', SUPERUSER, ...flags], {
      ...account,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
    });
    const callOff = making.child.pid === undefined ? () => undefined : endWithUs(making.child.pid, account);
    await making.finally(callOff);
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new OperatorError(`The database could not be created in ${dirname(dirname(fresh))}: ${said}`, { cause });
  }
}

/** Removes what interrupted first starts left behind. */
async function removeUnfinished(data: string): Promise<void> {
  for (const name of await readdir(dirname(data))) {
    if (!name.startsWith(`${basename(data)}.`) || !name.endsWith('.new')) continue;
    await rm(join(dirname(data), name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function refuseOtherVersion(data: string, version: string): void {
  if (version === MAJOR_VERSION) return;
  throw new OperatorError(
    `The database in ${data} was made by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR_VERSION}. Back it up with the version that made it, and restore it here.`,
  );
}

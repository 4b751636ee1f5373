import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readlink, realpath, rm, rmdir, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#server/operator-error.ts';
import { type Account, canReach } from './choose-account.ts';
import { makePassage, SHARED_FOLDER } from './shared-folder.ts';

const run = promisify(execFile);

/**
 * Returns the real folder of the data for `dataDirectory`. For an account that cannot enter that path, the data is in
 * the shared folder and `dataDirectory` is a symbolic link to it. The folder may not exist yet; its parent does. Throws
 * an OperatorError where the account cannot reach the data.
 */
export async function placeData(account: Account | null, dataDirectory: string): Promise<string> {
  const parent = dirname(dataDirectory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const linked = await readlink(dataDirectory).catch(() => null);
  if (linked === null && account !== null && !(await letThrough(account, parent))) {
    if (await makeWay(dataDirectory)) return relocate(dataDirectory);
    throw unreachable(dataDirectory);
  }
  const data = await resolveData(linked === null ? dataDirectory : resolve(parent, linked), dataDirectory);
  if (account !== null && !(await canReach(account, dirname(data)))) throw unreachable(data);
  await settleOwner(account, data);
  return data;
}

/**
 * Whether the account can pass through the folder. Where only the mode of a folder that is writable only for root
 * prevents that, the execute bit is added for others: they can pass but not list, and the contents keep their own
 * modes.
 */
async function letThrough(account: Account, folder: string): Promise<boolean> {
  if (await canReach(account, folder)) return true;
  const { uid, mode } = await stat(folder);
  if (uid !== 0 || (mode & 0o022) !== 0 || !(await canReach(account, dirname(folder)))) return false;
  await chmod(folder, (mode & 0o7777) | 0o011);
  return canReach(account, folder);
}

async function relocate(dataDirectory: string): Promise<string> {
  await makePassage(SHARED_FOLDER);
  const data = join(SHARED_FOLDER, `data-${randomBytes(8).toString('hex')}`, 'postgres');
  await makePassage(dirname(data));
  try {
    await symlink(data, dataDirectory);
    return data;
  } catch (error) {
    // A concurrent start was faster; its link is equivalent.
    await rm(dirname(data), { recursive: true, force: true });
    const theirs = await readlink(dataDirectory).catch(() => null);
    if (theirs === null) throw error;
    return theirs;
  }
}

async function resolveData(path: string, dataDirectory: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch((cause) => {
    throw new OperatorError(
      `${dataDirectory} is a link to ${path}, which is not there. Bring it back; or remove the link, and the next start begins with an empty database.`,
      { cause },
    );
  });
  return realpath(path).catch(() => join(folder, basename(path)));
}

/**
 * PostgreSQL requires to own its data. Data that root copied or restored is handed over; data of another account is
 * refused.
 */
async function settleOwner(account: Account | null, data: string): Promise<void> {
  const uid = account?.uid ?? process.getuid?.();
  const present = await lstat(data).catch(() => null);
  if (present === null || uid === undefined || present.uid === uid) return;
  if (account === null || present.uid !== 0) {
    throw new OperatorError(
      `The database in ${data} belongs to another account (number ${present.uid}). Start as that account or as root, or give this server its own folder with DATA_DIRECTORY.`,
    );
  }
  await run('chown', ['-R', `${account.uid}:${account.gid}`, data]);
}

/** Whether the path is free; removes an empty folder there. */
async function makeWay(path: string): Promise<boolean> {
  return rmdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

function unreachable(data: string): OperatorError {
  return new OperatorError(
    `PostgreSQL runs as another account where the server runs as root, and that account cannot enter the folder of the database, ${data}. Start as the user who made it, or let others pass through the folders above it (chmod o+x).`,
  );
}

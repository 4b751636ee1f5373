import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';
import { type Account, canReach } from './choose-account.ts';
import { SHARED_FOLDER } from './place-programs.ts';

/**
 * The real folder for the data that was asked for at `dataDirectory`. For an account that cannot enter that place, the
 * data lives in the shared folder and `dataDirectory` is a link to it. The folder itself may not exist yet.
 */
export async function placeData(account: Account | null, dataDirectory: string): Promise<string> {
  const parent = dirname(dataDirectory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  if (account === null) return resolveExisting(dataDirectory);

  const present = await lstat(dataDirectory).catch(() => null);
  if (present?.isSymbolicLink()) {
    const target = await readlink(dataDirectory);
    await mkdir(dirname(target), { recursive: true, mode: 0o711 });
    return target;
  }
  // Others may pass through, not look: what stands beside the data has modes of its own.
  await chmod(parent, 0o711);
  if (await canReach(account, parent)) return resolveExisting(dataDirectory);
  if (present !== null) {
    throw new OperatorError(
      `The database in ${dataDirectory} cannot be used by root: PostgreSQL runs as another account, which cannot enter that folder. Start as the user who made it, or move the checkout.`,
    );
  }

  const data = join(SHARED_FOLDER, `data-${randomBytes(8).toString('hex')}`, 'postgres');
  await mkdir(dirname(data), { recursive: true, mode: 0o711 });
  try {
    await symlink(data, dataDirectory);
    return data;
  } catch (error) {
    // Another start was faster; its link is as good.
    await rm(dirname(data), { recursive: true, force: true });
    if ((await lstat(dataDirectory).catch(() => null))?.isSymbolicLink()) return readlink(dataDirectory);
    throw error;
  }
}

async function resolveExisting(path: string): Promise<string> {
  // The parent exists, so its real path does; the last step may be made later.
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)));
}

import { randomBytes } from 'node:crypto';
import { chmod, chown, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Options {
  /** Also where the umask is stricter. By default no other account can read the file. */
  readonly mode?: number;
  /** The account that the file is given to. Only root can give files away. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
}

/**
 * Writes a file in place of the one that may be there. Who reads the path sees one of the two whole, and once it resolves
 * the new one, also after a loss of power.
 */
export async function replaceFile(path: string, text: string, options: Options = {}): Promise<void> {
  await put(path, text, options, rename);
}

/**
 * Writes a file whole, and returns false where there is one already, which stays: of several processes that do so at
 * once, one gets true.
 */
export async function createFile(path: string, text: string, options: Options = {}): Promise<boolean> {
  try {
    // Unlike a rename, a link never replaces.
    await put(path, text, options, link);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes under a temporary name first, which only a process that is killed leaves behind. */
async function put(
  path: string,
  text: string,
  { mode = 0o600, owner = null }: Options,
  place: (temporary: string, path: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    // Some file systems have no modes.
    if (mode !== 0o600) await chmod(temporary, mode).catch(() => undefined);
    if (owner !== null) await chown(temporary, owner.uid, owner.gid);
    await place(temporary, path);
    await flushFolder(dirname(path));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Makes the names in a folder durable, after a rename or a link, where the file system can do so. */
export async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  await flush(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EINVAL' && error.code !== 'EBADF') throw error;
  });
}

/** Makes a file or a folder durable. Rejects where the file system cannot. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

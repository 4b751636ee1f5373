import { once } from 'node:events';
import { createReadStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder, replaceFile } from '#server/data-folder/whole-file.ts';
import { writeWholeFile } from '#server/data-folder/write-whole-file.ts';
import { OperatorError } from '#server/operator-error.ts';
import { isNameOfBackup } from '../backup-names.ts';
import type { BackupPlace } from './backup-place.ts';

/** A part that was not written to for so long is of a run that was killed. */
const ABANDONED_MS = 60 * 60 * 1000;

/** Backups in a folder, by its absolute path. It is made when it is first written to. */
export function folderPlace(folder: string): BackupPlace {
  const prepare = () => mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    address: folder,
    addressOf: (name) => join(folder, name),
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw new OperatorError(`${folder} cannot be read: ${error.message}`, { cause: error });
      });
      const found = names.sort().map(async (name) => {
        // One that was removed meanwhile has none.
        const size = (await stat(join(folder, name)).catch(() => null))?.size;
        return size === undefined ? [] : [{ name, size }];
      });
      return (await Promise.all(found)).flat();
    },
    async *read(name) {
      yield* createReadStream(join(folder, name), { highWaterMark: 1024 * 1024 });
    },
    async write(name, work) {
      await prepare();
      await removeAbandoned(folder);
      const result = await writeWholeFile(join(folder, name), async (out) => {
        // A failure between two writes, such as a full disk, is thrown by the next one.
        out.on('error', () => undefined);
        const written = await work((bytes) => write(out, bytes));
        if (out.errored) throw out.errored;
        const closed = once(out, 'close');
        out.end();
        await closed;
        return written;
      });
      await flushFolder(folder);
      return result;
    },
    async replace(name, text) {
      await prepare();
      await replaceFile(join(folder, name), text);
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    async free() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
  };
}

async function write(out: WriteStream, bytes: Buffer): Promise<void> {
  if (out.errored) throw out.errored;
  if (!out.write(bytes)) await once(out, 'drain');
}

/** Removes unfinished backups of runs that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part') || !isNameOfBackup(name.slice(0, -'.part'.length))) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

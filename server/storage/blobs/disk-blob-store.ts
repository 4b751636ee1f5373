import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { DiskReserve } from '#server/data-folder/disk-reserve.ts';
import { flush } from '#server/data-folder/whole-file.ts';
import { type BlobStore, beginningsOf, requireKey } from './blob-store.ts';
import { onDisk } from './spool.ts';

interface DiskFolders {
  readonly directory: string;
  readonly arriving: string;
  readonly disk: Pick<DiskReserve, 'require'>;
}

/**
 * Stores blobs as files in 256 folders named by the first two characters of their keys. `arriving`, which holds the
 * spool and unfinished copies, is on the same file system as `directory`, so that a rename moves a complete file into
 * place atomically.
 */
export async function openDiskBlobStore({ directory, arriving, disk }: DiskFolders): Promise<BlobStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(directory, key.slice(0, 2), requireKey(key));

  /**
   * Order matters for durability: fsync of the file, rename, fsync of its folder, and of the parent folder where the
   * folder is new.
   */
  async function keep(temporary: string, key: string): Promise<void> {
    const path = pathOf(key);
    await flush(temporary);
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    await flush(dirname(path));
    if (made !== undefined) await flush(directory);
  }

  return {
    put: (key, file) => onDisk(() => keep(file.path, key)),
    open: (key, range) =>
      onDisk(async () => {
        const file = await open(pathOf(key), 'r').catch(unlessMissing);
        if (file === null) return null;
        const stream = file.createReadStream(range && { start: range.first, end: range.last });
        // A file stream emits Uint8Arrays.
        return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
      }),
    copy: (from, to) =>
      onDisk(async () => {
        const source = await stat(pathOf(from)).catch(unlessMissing);
        if (source === null) return false;
        await disk.require(source.size);
        const temporary = join(arriving, randomUUID());
        try {
          if ((await copyFile(pathOf(from), temporary).catch(unlessMissing)) === null) return false;
          await keep(temporary, to);
          return true;
        } finally {
          await rm(temporary, { force: true });
        }
      }),
    remove: (key) => onDisk(() => rm(pathOf(key), { force: true })),
    async *list(range) {
      for (const folder of beginningsOf(range)) {
        const files = await opendir(join(directory, folder)).catch(unlessMissing);
        if (files === null) continue;
        for await (const file of files) {
          const found = await stat(join(directory, folder, file.name)).catch(unlessMissing);
          if (found !== null) yield { key: file.name, storedAt: found.mtimeMs };
        }
      }
    },
  };
}

function unlessMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { BlobStore, StoredBlob } from './blob-store.ts';
import { onDisk } from './spool.ts';

/**
 * Blobs as files in 256 folders by the first two characters of their keys. `directory` is on one file system with the
 * spool, so that a rename puts a whole file in its place at once.
 */
export async function openDiskBlobStore(directory: string): Promise<BlobStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(directory, key.slice(0, 2), requireKey(key));

  /** Content first, then the name: fsync of the file, rename, fsync of the folder (and of its own, where it is new). */
  async function keep(temporary: string, key: string): Promise<void> {
    const path = pathOf(key);
    await sync(temporary);
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    await sync(dirname(path));
    if (made !== undefined) await sync(directory);
  }

  return {
    put: (key, file) => onDisk(() => keep(file.path, key)),
    open: (key, range) =>
      onDisk(async () => {
        const file = await open(pathOf(key), 'r').catch(unlessMissing);
        if (file === null) return null;
        const stream = file.createReadStream(range && { start: range.first, end: range.last });
        // A file holds bytes, so a stream of it gives Uint8Arrays.
        return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
      }),
    copy: (from, to) =>
      onDisk(async () => {
        const temporary = join(directory, `${requireKey(to)}.new`);
        try {
          if ((await copyFile(pathOf(from), temporary).catch(unlessMissing)) === null) return false;
          await keep(temporary, to);
          return true;
        } finally {
          await rm(temporary, { force: true });
        }
      }),
    remove: (key) => onDisk(() => rm(pathOf(key), { force: true })),
    async *list() {
      for await (const folder of await opendir(directory)) {
        if (folder.isFile()) yield* listed(directory, folder.name.replace(/\.new$/, ''), folder.name);
        else
          for await (const file of await opendir(join(directory, folder.name)))
            yield* listed(join(directory, folder.name), file.name, file.name);
      }
    },
  };
}

async function* listed(folder: string, key: string, name: string): AsyncIterable<StoredBlob> {
  const found = await stat(join(folder, name)).catch(unlessMissing);
  if (found !== null) yield { key, storedAt: found.mtimeMs };
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function unlessMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/** The last thing between a key and a path. */
function requireKey(key: string): string {
  if (!/^[0-9a-f-]{36}$/.test(key)) throw new Error('This is no key of a blob.');
  return key;
}

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tooLarge } from '../errors.ts';
import { BlobStoreUnavailable, type SpooledFile } from './blob-store.ts';

/** Receives uploads of unknown size. */
export interface Spool {
  /**
   * Writes a stream to a new file. Throws EntityTooLarge beyond `mostBytes`, `BlobStoreUnavailable` where the disk
   * fails, and any error of the source. On failure the file is removed.
   */
  receive(source: AsyncIterable<Uint8Array>, mostBytes: number): Promise<SpooledFile>;
  /** Removes a file that is no longer needed. A consumed file is not an error. */
  drop(file: Pick<SpooledFile, 'path'>): Promise<void>;
  /**
   * Removes files of ended processes: those last written before `time`, in milliseconds since the epoch. Returns their
   * number.
   */
  sweep(time: number): Promise<number>;
}

export async function openSpool(directory: string): Promise<Spool> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const drop = ({ path }: Pick<SpooledFile, 'path'>) => rm(path, { force: true });

  return {
    drop,
    async receive(source, mostBytes) {
      const path = join(directory, randomUUID());
      const hash = createHash('sha256');
      let size = 0;
      try {
        const file = await onDisk(() => open(path, 'wx', 0o600));
        try {
          for await (const chunk of source) {
            size += chunk.byteLength;
            if (size > mostBytes) throw tooLarge();
            hash.update(chunk);
            await onDisk(() => file.writeFile(chunk));
          }
        } finally {
          await file.close();
        }
      } catch (error) {
        // If the failing disk does not remove the file, the sweep does.
        await drop({ path }).catch(() => undefined);
        throw error;
      }
      return { path, size, sha256: hash.digest('hex') };
    },
    async sweep(time) {
      let swept = 0;
      for (const name of await readdir(directory)) {
        const path = join(directory, name);
        const found = await stat(path).catch(() => null);
        if (found === null || found.mtimeMs >= time) continue;
        await drop({ path });
        swept += 1;
      }
      return swept;
    },
  };
}

/** Converts a failure of the disk to `BlobStoreUnavailable`, to distinguish it from a failure of the client. */
export async function onDisk<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    throw new BlobStoreUnavailable('The disk operation failed.', { cause });
  }
}

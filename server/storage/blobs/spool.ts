import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tooLarge } from '../errors.ts';
import { BlobStoreUnavailable, type SpooledFile } from './blob-store.ts';

/** Where uploads arrive before anybody knows how large they are. */
export interface Spool {
  /**
   * Writes what arrives to a new file, a chunk at a time. Throws EntityTooLarge past `mostBytes`, `BlobStoreUnavailable`
   * where the disk fails, and what the source throws; then nothing is left.
   */
  receive(source: AsyncIterable<Uint8Array>, mostBytes: number): Promise<SpooledFile>;
  /** Forgets a file that is not needed, or was used up. */
  drop(file: Pick<SpooledFile, 'path'>): Promise<void>;
  /** Removes what an ended process left behind: files last written before `time`, in milliseconds since the epoch. */
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
        // What a failing disk does not let go of now is the sweep's.
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

/** Tells a failure of the disk from one of whoever sends. */
export async function onDisk<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (cause) {
    throw new BlobStoreUnavailable('The disk refused.', { cause });
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DiskReserve, DiskReserved } from '#server/data-folder/disk-reserve.ts';
import { tooLarge, tooManyUploads } from '../errors.ts';
import type { Sender, UploadPlace, UploadPlaces } from '../uploads/upload-places.ts';
import { BlobStoreUnavailable, type SpooledFile } from './blob-store.ts';

/** Receives uploads of unknown size. */
export interface Spool {
  /**
   * Writes a stream to a new file. Nothing is read of the stream of a sender for whom there is no place. The file has its
   * place until it is dropped. `sender` is null for a file that the service has made.
   *
   * Throws EntityTooLarge beyond `mostBytes`, ServiceUnavailable without a place, `DiskReserved` where the disk is almost
   * full, `BlobStoreUnavailable` where it fails, and any error of the source. On failure the file is removed.
   */
  receive(source: AsyncIterable<Uint8Array>, mostBytes: number, sender: Sender | null): Promise<SpooledFile>;
  /** Removes a file that is no longer needed. A consumed file is not an error. */
  drop(file: Pick<SpooledFile, 'path'>): Promise<void>;
  /**
   * Removes files of ended processes: those last written before `time`, in milliseconds since the epoch. Returns their
   * number.
   */
  sweep(time: number): Promise<number>;
  /** How many files were refused, by reason. */
  readonly refused: { readonly place: number; readonly disk: number };
}

export interface SpoolOptions {
  readonly directory: string;
  readonly disk: Pick<DiskReserve, 'require'>;
  readonly places: UploadPlaces;
}

/** The disk is looked at after so many bytes. */
const LOOK_EVERY_BYTES = 1024 * 1024;

export async function openSpool({ directory, disk, places }: SpoolOptions): Promise<Spool> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const refused = { place: 0, disk: 0 };
  /** By path. */
  const taken = new Map<string, UploadPlace>();

  async function drop({ path }: Pick<SpooledFile, 'path'>): Promise<void> {
    try {
      await rm(path, { force: true });
    } finally {
      taken.get(path)?.giveBack();
      taken.delete(path);
    }
  }

  async function write(path: string, source: AsyncIterable<Uint8Array>, mostBytes: number): Promise<SpooledFile> {
    const hash = createHash('sha256');
    let size = 0;
    let unseen = 0;
    const file = await onDisk(() => open(path, 'wx', 0o600));
    try {
      for await (const chunk of source) {
        size += chunk.byteLength;
        if (size > mostBytes) throw tooLarge();
        unseen += chunk.byteLength;
        if (unseen >= LOOK_EVERY_BYTES) {
          const seen = unseen;
          await onDisk(() => disk.require(seen));
          unseen = 0;
        }
        hash.update(chunk);
        await onDisk(() => file.writeFile(chunk));
        taken.get(path)?.wrote(chunk.byteLength);
      }
    } finally {
      await file.close();
    }
    return { path, size, sha256: hash.digest('hex') };
  }

  return {
    drop,
    refused,
    async receive(source, mostBytes, sender) {
      const path = join(directory, randomUUID());
      const bytes = Math.min(sender?.announced ?? mostBytes, mostBytes);
      if (sender !== null) {
        const place = places.take(sender, bytes);
        if (place === null) {
          refused.place += 1;
          throw tooManyUploads();
        }
        taken.set(path, place);
      }
      try {
        // With what the others may still write.
        await onDisk(() => disk.require(sender === null ? bytes : places.unwritten));
        return await write(path, source, mostBytes);
      } catch (error) {
        if (error instanceof DiskReserved) refused.disk += 1;
        // If the failing disk does not remove the file, the sweep does.
        await drop({ path }).catch(() => undefined);
        throw error;
      }
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
    if (cause instanceof DiskReserved) throw cause;
    throw new BlobStoreUnavailable('The disk operation failed.', { cause });
  }
}

import { OperatorError } from '#server/operator-error.ts';
import { DamagedBackup } from './archive/damaged-backup.ts';
import { readArchive } from './archive/read-archive.ts';
import { readHeading } from './backup-format.ts';
import { isNameOfBackup, momentOf } from './backup-names.ts';
import { decrypt } from './encryption.ts';
import type { BackupPlace, PlacedFile } from './places/backup-place.ts';

/** A backup in a place. */
export interface ListedBackup {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601; null where it cannot be read. */
  readonly moment: string | null;
  readonly release: string | null;
  readonly encrypted: boolean;
}

/**
 * Returns the finished backups of a place, newest first: a file has its name once it is whole. Throws an OperatorError
 * where the place cannot be read.
 */
export async function backupsIn(place: BackupPlace): Promise<PlacedFile[]> {
  return (await place.list()).filter(({ name }) => isNameOfBackup(name)).reverse();
}

/** Lists the finished backups of a place, newest first. Only their beginning is read, and of an encrypted one its name. */
export async function listBackups(place: BackupPlace): Promise<ListedBackup[]> {
  return Promise.all(
    (await backupsIn(place)).map(async ({ name, size }) => {
      const file = place.addressOf(name);
      if (name.endsWith('.age')) return { file, size, moment: momentOf(name), release: null, encrypted: true };
      const heading = await openBackup({ place, name }, [], async (bytes) =>
        readHeading((await readArchive(bytes).next()).value),
      ).catch(() => null);
      return { file, size, moment: heading?.moment ?? null, release: heading?.release ?? null, encrypted: false };
    }),
  );
}

/** Passes on the bytes of a backup, decrypted with one of these keys where it is encrypted. Throws an OperatorError that names the file where it cannot be read or is damaged. */
export async function openBackup<Result>(
  { place, name }: { readonly place: BackupPlace; readonly name: string },
  keys: readonly string[],
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  let failure: Error | null = null;
  const source = (async function* () {
    try {
      yield* place.read(name);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  })();
  const file = place.addressOf(name);
  try {
    return await read(decrypt(source, keys));
  } catch (error) {
    // What reads it may only notice that something is missing.
    const { message } = (failure as Error | null) ?? {};
    if (message !== undefined) throw new OperatorError(`${file} cannot be read: ${message}`, { cause: error });
    if (error instanceof DamagedBackup) {
      throw new OperatorError(`${file} is damaged: ${error.reason}. Do not rely on it.`, { cause: error });
    }
    throw error;
  } finally {
    await source.return(undefined);
  }
}

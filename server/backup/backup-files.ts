import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedBackup } from '#server/backup/archive/damaged-backup.ts';
import { readArchive } from '#server/backup/archive/read-archive.ts';
import { readHeading } from '#server/backup/backup-format.ts';
import { decrypt } from '#server/backup/encryption.ts';
import { OperatorError } from '#server/operator-error.ts';

/** A backup in a folder. */
export interface ListedBackup {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601; null where it cannot be read. */
  readonly moment: string | null;
  readonly release: string | null;
  readonly encrypted: boolean;
}

const NAME = /^reunite-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(\.age)?$/;
/** A part that was not written to for so long is of a run that was killed. */
const ABANDONED_MS = 60 * 60 * 1000;

/** @example nameOf(new Date('2026-11-28T05:24:07Z'), { encrypted: false }) // 'reunite-2026-11-28T05-24-07Z.tar' */
export function nameOf(moment: Date, { encrypted }: { readonly encrypted: boolean }): string {
  return `reunite-${moment.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar${encrypted ? '.age' : ''}`;
}

/** Lists the finished backups of a folder, newest first. Only their beginning is read, and of an encrypted one its name. */
export async function listBackups(folder: string): Promise<ListedBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new OperatorError(`${folder} cannot be read: ${error.message}`, { cause: error });
  });
  const found = names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
  return Promise.all(
    found.map(async (name) => {
      const file = join(folder, name);
      const { size } = await stat(file);
      const [, day, hour, minute, second, age] = NAME.exec(name) ?? [];
      if (age !== undefined) {
        return { file, size, moment: `${day}T${hour}:${minute}:${second}.000Z`, release: null, encrypted: true };
      }
      const heading = await openBackup(file, [], async (bytes) =>
        readHeading((await readArchive(bytes).next()).value),
      ).catch(() => null);
      return { file, size, moment: heading?.moment ?? null, release: heading?.release ?? null, encrypted: false };
    }),
  );
}

/** Passes on the bytes of a backup, decrypted with one of these keys where it is encrypted. Throws an OperatorError that names the file where it cannot be read or is damaged. */
export async function openBackup<Result>(
  file: string,
  keys: readonly string[],
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const stream = createReadStream(file, { highWaterMark: 1024 * 1024 });
  try {
    return await read(decrypt(stream, keys));
  } catch (error) {
    if (error instanceof DamagedBackup) {
      throw new OperatorError(`${file} is damaged: ${error.reason}. Do not rely on it.`, { cause: error });
    }
    if (stream.errored !== null && stream.errored === error) {
      throw new OperatorError(`${file} cannot be read: ${stream.errored.message}`, { cause: error });
    }
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Removes unfinished backups of runs that were killed. */
export async function removeAbandoned(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part') || !NAME.test(name.slice(0, -'.part'.length))) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && now.getTime() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

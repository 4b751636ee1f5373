import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';
import { DamagedBackup } from './archive/damaged-backup.ts';
import { readArchive } from './archive/read-archive.ts';
import { readHeading } from './backup-format.ts';
import { decrypt } from './encryption.ts';

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

/** Returns when the backup of this name was begun (ISO 8601), or null for another name. */
export function momentOf(name: string): string | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  return day === undefined ? null : `${day}T${hour}:${minute}:${second}.000Z`;
}

/**
 * Returns the names of the finished backups of a folder, newest first: a file has its name once it is whole. Throws an
 * OperatorError where the folder cannot be read.
 */
export async function namesOfBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new OperatorError(`${folder} cannot be read: ${error.message}`, { cause: error });
  });
  return names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
}

/** Lists the finished backups of a folder, newest first. Only their beginning is read, and of an encrypted one its name. */
export async function listBackups(folder: string): Promise<ListedBackup[]> {
  return Promise.all(
    (await namesOfBackups(folder)).map(async (name) => {
      const file = join(folder, name);
      const { size } = await stat(file);
      if (name.endsWith('.age')) return { file, size, moment: momentOf(name), release: null, encrypted: true };
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

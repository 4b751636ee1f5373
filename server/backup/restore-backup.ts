import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { ServiceLog } from '#server/log/log.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import type { TableRows } from '#server/postgres/backup/fill-tables.ts';
import type { DroppedJobs, PendingJob } from '#server/postgres/backup/pending-jobs.ts';
import { restoreDatabase } from '#server/postgres/backup/restore-database.ts';
import { DamagedBackup } from './archive/damaged-backup.ts';
import { type ArchivedContent, readArchive } from './archive/read-archive.ts';
import { CONTENTS, type Heading, readHeading, readPendingJobs } from './backup-format.ts';

/** Where the files of a backup go. */
export interface FilePlace {
  /** Resolves once the file is durable. */
  put(name: string, parts: AsyncIterable<Buffer>): Promise<void>;
  /** Removes what `put` has added. */
  undo(): Promise<void>;
}

export interface RestoreOptions {
  /** The account that migrates, to an empty database. */
  readonly address: PostgresAddress;
  /** The folder that contains this program's `database/`. */
  readonly root: string;
  readonly log: ServiceLog;
  readonly files: FilePlace;
  readonly now: Date;
  /** Compares what was restored, before anything else is done with it. */
  readonly inspect?: Parameters<typeof restoreDatabase>[0]['inspect'];
}

export interface Restored {
  readonly heading: Heading;
  /** Columns of the operator's own in our tables. */
  readonly added: readonly string[];
  /** Codes and links that could have been redeemed since. */
  readonly removedCodes: number;
  readonly droppedJobs: DroppedJobs;
  readonly keptJobs: number;
}

/**
 * Restores a checked backup into an empty database: the tables of its time with their rows in one transaction, then the
 * migrations of this program. A failure or a kill before its end leaves an empty database.
 */
export async function restoreBackup(
  source: AsyncIterable<Uint8Array>,
  { address, root, log, files, now, inspect }: RestoreOptions,
): Promise<Restored> {
  const contents = readArchive(source);
  const heading = await readHeading((await contents.next()).value);
  const work = await mkdtemp(join(tmpdir(), 'reunite-restore-'));
  try {
    const first = await writeDatabase(contents, work);
    const jobs: PendingJob[] = [];
    const restored = await restoreDatabase({
      address,
      log,
      heading,
      formerDirectory: join(work, 'database'),
      directory: join(root, 'database'),
      now,
      jobs,
      contents: () => rowsAndFiles(first, contents, { heading, jobs, files }),
      ...(inspect !== undefined && { inspect }),
    });
    return { heading, ...restored };
  } catch (error) {
    await files.undo().catch((undoError: unknown) => log.error({ err: undoError }, 'Restored files were left behind.'));
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Writes the SQL of the backup's time to a folder, and returns the content behind it. */
async function writeDatabase(
  contents: AsyncGenerator<ArchivedContent>,
  folder: string,
): Promise<ArchivedContent | undefined> {
  for (;;) {
    const { value, done } = await contents.next();
    if (done === true || !value.name.startsWith(CONTENTS.database)) return done === true ? undefined : value;
    const path = resolve(folder, value.name);
    if (!path.startsWith(folder + sep)) throw new DamagedBackup('one of its names leads out of it');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await buffer(value.parts));
  }
}

/** Passes on the rows of each table. On the way it keeps jobs and files. */
async function* rowsAndFiles(
  first: ArchivedContent | undefined,
  rest: AsyncGenerator<ArchivedContent>,
  { heading, jobs, files }: { readonly heading: Heading; readonly jobs: PendingJob[]; readonly files: FilePlace },
): AsyncGenerator<TableRows> {
  for (let content = first; content !== undefined; ) {
    const { name, parts } = content;
    if (name.startsWith(CONTENTS.tables)) {
      const table = heading.tables.find((table) => `${CONTENTS.tables}${table.name}` === name);
      if (table === undefined) throw new DamagedBackup(`it has rows of an unknown table, ${name}`);
      yield { table, rows: parts };
    } else if (name.startsWith(CONTENTS.files)) {
      await files.put(name.slice(CONTENTS.files.length), parts);
    } else if (name === CONTENTS.jobs) {
      jobs.push(...(await readPendingJobs(content)));
    }
    const { value, done } = await rest.next();
    content = done === true ? undefined : value;
  }
}

/** For a restore that only proves that it can be done. */
export const NO_FILES: FilePlace = {
  async put(_name, parts) {
    for await (const _ of parts);
  },
  undo: async () => undefined,
};

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { sumRows, type TableSum } from '#server/postgres/backup/fill-tables.ts';
import { readSnapshot, type Snapshot } from '#server/postgres/backup/read-snapshot.ts';
import { RELEASE } from '#server/project-root.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { type ArchiveWriter, writeArchive } from './archive/write-archive.ts';
import { CONTENTS, type Heading, headingOf, type Manifest } from './backup-format.ts';
import { type Digest, digestOnTheWay } from './digest.ts';

export interface CreateOptions {
  readonly address: PostgresAddress;
  /** The folder that contains `database/`. */
  readonly root: string;
  readonly blobs: Pick<BlobStore, 'open'>;
  /** Called with what is being copied, how much of it is done, and how much there is. */
  readonly onProgress?: (what: 'Tables' | 'Files', done: number, total: number) => void;
}

export interface Created {
  readonly heading: Heading;
  readonly manifest: Manifest;
}

/**
 * Writes a backup of one moment while the service runs. `write` resolves once it takes more.
 *
 * The rows come first, from one snapshot. Each file that they name exists then, and its content never changes; the file
 * of a row that is removed meanwhile stays for `STORAGE_KEEP_REMOVED_HOURS`.
 *
 * @throws OperatorError for a file that is missing, by its name.
 */
export async function createBackup(
  { address, root, blobs, onProgress = () => undefined }: CreateOptions,
  write: (bytes: Buffer) => Promise<void>,
): Promise<Created> {
  const directory = join(root, 'database');
  const archive = writeArchive(write);
  const { heading, tables, files, jobs } = await readSnapshot({ address, directory }, async (snapshot) => {
    const { moment, migrations, sequences, foreign } = snapshot;
    const heading = headingOf({
      release: RELEASE,
      moment,
      migrations: [...migrations],
      tables: snapshot.tables.map((table) => ({ ...table, columns: [...table.columns] })),
      sequences: [...sequences],
      foreign: [...foreign],
    });
    await addJson(archive, CONTENTS.heading, heading);
    await addDatabase(archive, directory);
    const tables = await addTables(archive, snapshot, (done, total) => onProgress('Tables', done, total));
    await addJson(archive, `${CONTENTS.jobs}.gz`, snapshot.jobs);
    return { heading, tables, files: snapshot.files, jobs: snapshot.jobs.length };
  });

  let fileBytes = 0;
  const lines: string[] = [];
  for (const [index, name] of files.entries()) {
    const { size, sha256 } = await addFile(archive, blobs, name);
    fileBytes += size;
    lines.push(`${sha256} ${size} ${name}\n`);
    onProgress('Files', index + 1, files.length);
  }
  await archive.add(CONTENTS.fileSums, inBytes(lines));
  const manifest: Manifest = { tables, files: files.length, fileBytes, jobs };
  await addJson(archive, CONTENTS.manifest, manifest);
  await archive.seal();
  return { heading, manifest };
}

function addJson(archive: ArchiveWriter, name: string, value: unknown): Promise<void> {
  return archive.add(name, [Buffer.from(`${JSON.stringify(value)}\n`)]);
}

async function addDatabase(archive: ArchiveWriter, directory: string): Promise<void> {
  const names = await readdir(directory, { recursive: true });
  for (const name of names.filter((name) => name.endsWith('.sql')).sort()) {
    const path = name.replaceAll('\\', '/');
    await archive.add(`${CONTENTS.database}${path}`, [await readFile(join(directory, name))]);
  }
}

async function addTables(
  archive: ArchiveWriter,
  { tables, copy }: Snapshot,
  onProgress: (done: number, total: number) => void,
): Promise<Record<string, TableSum>> {
  const sums: Record<string, TableSum> = {};
  for (const [index, table] of tables.entries()) {
    const rows = sumRows(copy(table), (sum) => {
      sums[table.name] = sum;
    });
    await archive.add(`${CONTENTS.tables}${table.name}.gz`, rows);
    onProgress(index + 1, tables.length);
  }
  return sums;
}

async function addFile(archive: ArchiveWriter, blobs: Pick<BlobStore, 'open'>, name: string): Promise<Digest> {
  const stream = await blobs.open(name);
  if (stream === null) {
    throw new OperatorError(
      `The file ${name} is missing, although a row of storage.objects names it. If its object was removed meanwhile, ` +
        'let STORAGE_KEEP_REMOVED_HOURS be longer than a backup takes.',
    );
  }
  let digest: Digest = { size: 0, sha256: '' };
  await archive.add(
    `${CONTENTS.files}${name}`,
    digestOnTheWay(stream, (found) => (digest = found)),
  );
  return digest;
}

/** In pieces, so that a list of millions is never one string. */
function* inBytes(lines: readonly string[]): Generator<Buffer> {
  for (let from = 0; from < lines.length; from += 1_000) yield Buffer.from(lines.slice(from, from + 1_000).join(''));
}

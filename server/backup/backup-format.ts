import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { pendingJob } from '#server/postgres/backup/pending-jobs.ts';
import { DamagedBackup } from './archive/damaged-backup.ts';
import type { ArchivedContent } from './archive/read-archive.ts';

/** The contents of a backup, in the order in which they are written. */
export const CONTENTS = {
  /** What it is a backup of. */
  heading: 'backup.json',
  /** The SQL that made the tables: `database/tables/06-items.sql`. */
  database: 'database/',
  /** Rows: `tables/public.items`. */
  tables: 'tables/',
  jobs: 'jobs.json',
  /** Uploaded files: `files/{name}`. */
  files: 'files/',
  /** The SHA-256, size in bytes, and name of each file, a line each. */
  fileSums: 'files.txt',
  manifest: 'manifest.json',
} as const;

const FORMAT = 1;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const heading = v.object({
  format: v.literal(FORMAT),
  /** The program's release. */
  release: v.string(),
  /** When it was made: every row and file is that of this moment. ISO 8601. */
  moment: v.string(),
  migrations: v.array(
    v.object({
      number: count,
      name: v.string(),
      checksum: v.string(),
      kind: v.picklist(['compatible', 'breaking']),
    }),
  ),
  tables: v.array(
    v.object({
      name: v.string(),
      columns: v.array(v.object({ name: v.string(), type: v.string() })),
      order: v.string(),
    }),
  ),
  sequences: v.array(v.object({ table: v.string(), column: v.string(), last: v.string() })),
  /** What the database has beside ours, and the backup does not. */
  foreign: v.array(v.string()),
});

const manifest = v.object({
  tables: v.record(v.string(), v.object({ rows: count, sha256: v.string() })),
  files: count,
  /** Of all files together. */
  fileBytes: count,
  jobs: count,
});

export type Heading = v.InferOutput<typeof heading>;
export type Manifest = v.InferOutput<typeof manifest>;

/** Returns the heading of a backup of this program. */
export function headingOf(parts: Omit<Heading, 'format'>): Heading {
  return { format: FORMAT, ...parts };
}

/** Throws a DamagedBackup for another format. */
export async function readHeading(content: ArchivedContent | undefined): Promise<Heading> {
  if (content?.name !== CONTENTS.heading) throw new DamagedBackup('it does not begin as a backup of this program does');
  return read(heading, content);
}

export const readManifest = (content: ArchivedContent) => read(manifest, content);
export const readPendingJobs = (content: ArchivedContent) => read(v.array(pendingJob), content);

async function read<Schema extends v.GenericSchema>(
  schema: Schema,
  { name, parts }: ArchivedContent,
): Promise<v.InferOutput<Schema>> {
  const text = (await buffer(parts)).toString('utf8');
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    throw new DamagedBackup(`${name} is not of a format that this program knows`);
  }
}

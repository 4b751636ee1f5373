import { createHash } from 'node:crypto';
import { sumOf, type TableSum } from '#server/postgres/backup/fill-tables.ts';
import { DamagedBackup } from './archive/damaged-backup.ts';
import { readArchive } from './archive/read-archive.ts';
import { CONTENTS, type Heading, type Manifest, readHeading, readManifest, readPendingJobs } from './backup-format.ts';
import { digestOf } from './digest.ts';

export interface Checked {
  readonly heading: Heading;
  readonly manifest: Manifest;
}

/**
 * Reads a whole backup and compares every checksum and count.
 *
 * @throws DamagedBackup where any bit is another one than was written.
 */
export async function checkBackup(source: AsyncIterable<Uint8Array>): Promise<Checked> {
  const contents = readArchive(source);
  const heading = await readHeading((await contents.next()).value);
  const tables: Record<string, TableSum> = {};
  const files = createHash('sha256');
  let [found, fileBytes, jobs] = [0, 0, 0];
  let listed: string | null = null;
  let manifest: Manifest | null = null;
  for await (const content of contents) {
    const { name } = content;
    if (name.startsWith(CONTENTS.tables)) {
      tables[name.slice(CONTENTS.tables.length)] = await sumOf(content.parts);
    } else if (name.startsWith(CONTENTS.files)) {
      const { size, sha256 } = await digestOf(content.parts);
      found += 1;
      fileBytes += size;
      files.update(`${sha256} ${size} ${name.slice(CONTENTS.files.length)}\n`);
    } else if (name === CONTENTS.fileSums) {
      listed = (await digestOf(content.parts)).sha256;
    } else if (name === CONTENTS.jobs) {
      jobs = (await readPendingJobs(content)).length;
    } else if (name === CONTENTS.manifest) {
      manifest = await readManifest(content);
    }
  }
  if (manifest === null) throw new DamagedBackup('it has no list of what it contains');
  for (const { name } of heading.tables) {
    const [written, read] = [manifest.tables[name], tables[name]];
    if (written?.rows !== read?.rows || written?.sha256 !== read?.sha256) {
      throw new DamagedBackup(`the rows of ${name} do not match their checksum`);
    }
  }
  if (found !== manifest.files || fileBytes !== manifest.fileBytes || listed !== files.digest('hex')) {
    throw new DamagedBackup('the uploaded files do not match their checksums');
  }
  if (jobs !== manifest.jobs) throw new DamagedBackup('it does not have all jobs');
  return { heading, manifest };
}

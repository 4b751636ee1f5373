import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log/log.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';
import { DamagedBackup } from './archive/damaged-backup.ts';
import type { Manifest } from './backup-format.ts';
import { NO_FILES, type Restored, restoreBackup } from './restore-backup.ts';

/** Its data is thrown away, so it never waits for a disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };
const SHARED_BUFFERS_MIB = 128;

/**
 * Restores a checked backup into an engine that is thrown away, in the folder for temporary files, and compares what is in
 * each table with what was backed up.
 *
 * @throws DamagedBackup where they differ.
 */
export async function tryRestore(
  source: AsyncIterable<Uint8Array>,
  { manifest, root, log }: { readonly manifest: Manifest; readonly root: string; readonly log: ServiceLog },
): Promise<Restored> {
  const folder = await mkdtemp(join(tmpdir(), 'reunite-verify-'));
  try {
    // As root the engine runs as another account, which must be able to reach its data.
    await chmod(folder, 0o711);
    const engine = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'data'),
      log,
      sharedBuffers: SHARED_BUFFERS_MIB,
      settings: SETTINGS,
    });
    try {
      return await restoreBackup(source, {
        address: engine.address,
        root,
        log,
        files: NO_FILES,
        now: new Date(),
        inspect({ name }, { rows, sha256 }) {
          const written = manifest.tables[name];
          if (written?.rows === rows && written.sha256 === sha256) return;
          throw new DamagedBackup(`the rows of ${name} are others once they are restored`);
        },
      });
    } finally {
      await engine.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

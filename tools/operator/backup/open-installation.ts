import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, readConfig } from '#server/config.ts';
import { diskReserve } from '#server/data-folder/disk-reserve.ts';
import type { ServiceLog } from '#server/log/log.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { findRunning } from '#server/postgres/embedded/find-running.ts';
import { startDatabase } from '#server/start/prepare-database.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openBlobStore } from '#server/storage/open-storage-files.ts';

/** The database and the files of a service on this machine, also while it runs. */
export interface Installation {
  readonly config: Config;
  readonly address: PostgresAddress;
  readonly blobs: BlobStore;
}

/** The settings of the service, except that secrets which only a running server needs may be missing. */
export function readSettings({ NODE_ENV: _, ...settings }: Readonly<NodeJS.Dict<string>>): Config {
  return readConfig(settings);
}

/** Opens the installation for `work`. An embedded engine that does not run is started meanwhile. */
export async function withInstallation<Result>(
  config: Config,
  log: ServiceLog,
  { isNew, work }: { readonly isNew: boolean; readonly work: (installation: Installation) => Promise<Result> },
): Promise<Result> {
  if (isNew) await requireOwner(config.dataDirectory);
  const running =
    config.database.kind === 'embedded' && !isNew ? await findRunning(join(config.dataDirectory, 'postgres')) : null;
  const { address, stop } =
    running === null ? await startDatabase({ config, log }) : { address: running, stop: async () => undefined };
  try {
    const folder = join(config.dataDirectory, 'storage');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work({ config, address, blobs: await openBlobStore(config, diskReserve(folder, log)) });
  } finally {
    await stop();
  }
}

/** What root restores into the folder of another account, that account could not read. */
async function requireOwner(dataDirectory: string): Promise<void> {
  const folder = await stat(dataDirectory).catch(() => null);
  if (folder === null || folder.uid === 0 || process.getuid?.() !== 0) return;
  throw new OperatorError(
    `${dataDirectory} belongs to another account (number ${folder.uid}). Run this as that account: sudo -u '#${folder.uid}' …`,
  );
}

import { openBackup } from '#server/backup/backup-files.ts';
import { checkBackup } from '#server/backup/check-backup.ts';
import { findEndings } from '#server/backup/endings/keep-endings.ts';
import { type BackupPlace, placeOf } from '#server/backup/places/backup-place.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { restoreFiles } from '#server/backup/restore-files.ts';
import type { Config } from '#server/config.ts';
import type { ServiceLog } from '#server/log/log.ts';
import { endAgain } from '#server/postgres/backup/endings.ts';
import { withClient } from '#server/postgres/backup/with-client.ts';
import { PROJECT_ROOT } from '#server/project-root.ts';
import { arrivingFolder } from '#server/storage/open-storage-files.ts';
import { describeBackup, describeEndings, describeRestored } from './describe-backup.ts';
import { withInstallation } from './open-installation.ts';

interface RestoreOptions {
  readonly file: string;
  readonly keys: readonly string[];
  /** Whether what ended after the backup ends at once. */
  readonly isEnding: boolean;
}

/** Restores a backup, and returns what there is to say about it. */
export async function restore(
  config: Config,
  { file, keys, isEnding }: RestoreOptions,
  log: ServiceLog,
): Promise<string> {
  const backup = placeOf(file, config.objectStore);
  const checked = await openBackup(backup, keys, checkBackup);
  const { place } = backup;
  const { endings, until } = await findEndings(place, checked.heading.moment);
  return withInstallation(config, log, {
    isNew: true,
    async work({ address, blobs }) {
      const restored = await openBackup(backup, keys, (bytes) =>
        restoreBackup(bytes, {
          address,
          root: PROJECT_ROOT,
          log,
          files: restoreFiles(blobs, arrivingFolder(config.dataDirectory)),
          now: new Date(),
        }),
      );
      const cameBack = await withClient(address, 'reunite restore', (client) =>
        endAgain(client, endings, { isEnding }),
      );
      return [
        `${file} was restored.\n`,
        describeBackup(checked),
        describeRestored(restored),
        describeEndings({ folder: place.address, until, cameBack, isEnded: isEnding }),
      ].join('');
    },
  });
}

/** Ends again what the files in a place say that ended, and returns what it was. */
export async function endAgainFrom(config: Config, place: BackupPlace, log: ServiceLog): Promise<string> {
  const { endings, until } = await findEndings(place);
  const cameBack = await withInstallation(config, log, {
    isNew: false,
    work: ({ address }) =>
      withClient(address, 'reunite restore', (client) => endAgain(client, endings, { isEnding: true })),
  });
  return describeEndings({ folder: place.address, until, cameBack, isEnded: true });
}

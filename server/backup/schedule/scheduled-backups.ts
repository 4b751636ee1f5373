import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log/log.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { momentOf, namesOfBackups } from '../backup-files.ts';
import { digestOf } from '../digest.ts';
import { dayOfEndingsFile } from '../endings/endings-file.ts';
import { keepEndings } from '../endings/keep-endings.ts';
import { writeBackup } from '../write-backup.ts';
import { type BackupSchedule, lastDue } from './schedule.ts';
import { type BackupsKept, tooMany } from './thinning.ts';

export interface BackupSettings {
  readonly schedule: BackupSchedule;
  /** An absolute path. */
  readonly folder: string;
  /** The public key that backups are encrypted for; null where they are not. */
  readonly publicKey: string | null;
  readonly kept: BackupsKept;
}

interface Parts {
  readonly settings: BackupSettings;
  /** The account that migrates. */
  readonly address: PostgresAddress;
  /** The folder that contains `database/`. */
  readonly root: string;
  readonly blobs: Pick<BlobStore, 'open'>;
  readonly log: ServiceLog;
  readonly metrics: Metrics;
  readonly now: () => number;
}

export interface ScheduledBackups {
  /**
   * Writes what ended, and makes a backup where one is due. A failure is logged and counted, and not thrown: the next
   * attempt is an hour later. The signal ends it.
   */
  run(signal?: AbortSignal): Promise<void>;
}

/** A failing backup burdens the database and the disk, however it fails. */
const RETRY_MS = 60 * 60 * 1000;

/** Makes backups by itself, and removes those that are too many. One server of several runs it at a time. */
export function scheduleBackups({ settings, address, root, blobs, log, metrics, now }: Parts): ScheduledBackups {
  const { schedule, folder, publicKey, kept } = settings;
  let failedAt = Number.NEGATIVE_INFINITY;
  const count = metrics.counter(
    { name: 'reunite_backups_total', help: 'Backups that the service made by itself.', labels: ['outcome'] },
    [{ outcome: 'made' }, { outcome: 'failed' }],
  );
  metrics.gauge(
    { name: 'reunite_backup_age_seconds', help: 'How old the newest backup is.', merge: 'max' },
    async () => {
      const [newest] = await wholeIn(folder);
      return newest === undefined ? [] : [{ labels: {}, value: (now() - Date.parse(newest.moment)) / 1000 }];
    },
  );

  async function backUp(signal: AbortSignal | undefined): Promise<void> {
    const { file, sha256, manifest } = await writeBackup({
      folder,
      publicKey,
      address,
      root,
      blobs,
      ...(signal !== undefined && { signal }),
    });
    // Nothing is removed for a backup that the disk does not give back.
    const read = await digestOf(createReadStream(file));
    if (read.sha256 !== sha256) {
      await rm(file);
      throw new Error('The disk gave back another file than was written.');
    }
    count({ outcome: 'made' });
    log.info({ file, files: manifest.files, bytes: read.size }, 'A backup was made.');
  }

  async function thin(): Promise<void> {
    const whole = await wholeIn(folder);
    const removed = tooMany(whole, kept);
    for (const { name } of removed) {
      await rm(join(folder, name), { force: true });
      log.info({ file: name }, 'A backup was removed: there are newer ones of its day, week, and month.');
    }
    const oldest =
      whole
        .filter((backup) => !removed.includes(backup))
        .at(-1)
        ?.moment.slice(0, 10) ?? '';
    for (const name of await readdir(folder)) {
      const day = dayOfEndingsFile(name);
      if (day !== null && day < oldest) await rm(join(folder, name), { force: true });
    }
  }

  return {
    async run(signal) {
      try {
        await keepEndings(address, folder, new Date(now()));
        const [newest] = await wholeIn(folder);
        const due = lastDue(schedule, new Date(now())).getTime();
        if (newest !== undefined && Date.parse(newest.moment) >= due) return;
        if (now() - failedAt < RETRY_MS) return;
        await backUp(signal);
        await thin();
      } catch (error) {
        // The server stops. The next one makes it.
        if (signal?.aborted === true) return;
        failedAt = now();
        count({ outcome: 'failed' });
        log.error({ err: error, folder }, 'The backup failed. It is tried again in an hour.');
      }
    },
  };
}

/** The finished backups of a folder, newest first. */
async function wholeIn(folder: string): Promise<{ readonly name: string; readonly moment: string }[]> {
  return (await namesOfBackups(folder)).flatMap((name) => {
    const moment = momentOf(name);
    return moment === null ? [] : [{ name, moment }];
  });
}

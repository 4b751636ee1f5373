import type { ServiceLog } from '#server/log/log.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { backupsIn } from '../backup-files.ts';
import { momentOf } from '../backup-names.ts';
import { digestOf } from '../digest.ts';
import { dayOfEndingsFile } from '../endings/endings-file.ts';
import { keepEndings } from '../endings/keep-endings.ts';
import type { BackupPlace } from '../places/backup-place.ts';
import { writeBackup } from '../write-backup.ts';
import { type BackupSchedule, lastDue } from './schedule.ts';
import { type BackupsKept, tooMany } from './thinning.ts';

export interface BackupSettings {
  readonly schedule: BackupSchedule;
  /** A path, or such as `s3://bucket/prefix`. */
  readonly to: string;
  /** The public key that backups are encrypted for; null where they are not. */
  readonly publicKey: string | null;
  readonly kept: BackupsKept;
}

interface Parts {
  readonly settings: BackupSettings;
  readonly place: BackupPlace;
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
/** How long the metrics remember which backup is the newest. */
const REMEMBERED_MS = 5 * 60 * 1000;

/** Makes backups by itself, and removes those that are too many. One server of several runs it at a time. */
export function scheduleBackups({ settings, place, address, root, blobs, log, metrics, now }: Parts): ScheduledBackups {
  const { schedule, publicKey, kept } = settings;
  let failedAt = Number.NEGATIVE_INFINITY;
  const count = metrics.counter(
    { name: 'reunite_backups_total', help: 'Backups that the service made by itself.', labels: ['outcome'] },
    [{ outcome: 'made' }, { outcome: 'failed' }],
  );
  metrics.gauge(
    { name: 'reunite_backup_age_seconds', help: 'How old the newest backup is.', merge: 'max' },
    async () => {
      const newest = await findNewest();
      return newest === undefined ? [] : [{ labels: {}, value: (now() - Date.parse(newest.moment)) / 1000 }];
    },
  );

  // A request to an object store costs something, and may take long.
  let found: { readonly at: number; readonly newest: Moment | undefined } | undefined;
  async function findNewest(): Promise<Moment | undefined> {
    if (found === undefined || now() - found.at > REMEMBERED_MS) {
      found = { at: now(), newest: (await wholeIn(place))[0] };
    }
    return found.newest;
  }

  async function backUp(signal: AbortSignal | undefined): Promise<void> {
    const { name, sha256, manifest } = await writeBackup({
      place,
      publicKey,
      address,
      root,
      blobs,
      ...(signal !== undefined && { signal }),
    });
    found = undefined;
    // Nothing is removed for a backup that the disk does not give back.
    const read = await digestOf(place.read(name));
    if (read.sha256 !== sha256) {
      await place.remove(name);
      throw new Error('The disk gave back another file than was written.');
    }
    count({ outcome: 'made' });
    log.info({ file: place.addressOf(name), files: manifest.files, bytes: read.size }, 'A backup was made.');
  }

  async function thin(): Promise<void> {
    const whole = await wholeIn(place);
    const removed = tooMany(whole, kept);
    for (const { name } of removed) {
      await place.remove(name);
      log.info({ file: name }, 'A backup was removed: there are newer ones of its day, week, and month.');
    }
    const oldest =
      whole
        .filter((backup) => !removed.includes(backup))
        .at(-1)
        ?.moment.slice(0, 10) ?? '';
    for (const { name } of await place.list()) {
      const day = dayOfEndingsFile(name);
      if (day !== null && day < oldest) await place.remove(name);
    }
  }

  return {
    async run(signal) {
      try {
        await keepEndings(address, place, new Date(now()));
        const [newest] = await wholeIn(place);
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
        log.error({ err: error, to: place.address }, 'The backup failed. It is tried again in an hour.');
      }
    },
  };
}

interface Moment {
  readonly name: string;
  readonly moment: string;
}

/** The finished backups of a place, newest first. */
async function wholeIn(place: BackupPlace): Promise<Moment[]> {
  return (await backupsIn(place)).flatMap(({ name }) => {
    const moment = momentOf(name);
    return moment === null ? [] : [{ name, moment }];
  });
}

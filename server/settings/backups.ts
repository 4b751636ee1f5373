import { isAbsolute } from 'node:path';
import * as v from 'valibot';
import { readBucketAddress } from '#server/backup/places/bucket-address.ts';
import { type BackupSchedule, readSchedule } from '#server/backup/schedule/schedule.ts';
import type { BackupSettings } from '#server/backup/schedule/scheduled-backups.ts';
import { type BackupsKept, readKept } from '#server/backup/schedule/thinning.ts';

/** A value that `read` finds in the text. */
function readBy<Value>(read: (text: string) => Value | null, problem: string) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value.trim());
      if (value !== null) return value;
      addIssue({ message: problem });
      return NEVER;
    }),
  );
}

/** The variables of backups that the service makes by itself. */
export const backupVariables = {
  BACKUP_SCHEDULE: v.optional(
    readBy<BackupSchedule>(readSchedule, 'must be hourly, or daily and a time, such as daily 03:30'),
  ),
  BACKUP_TO: v.optional(
    v.pipe(v.string(), v.check(isPlace, 'must be the absolute path of a folder, or such as s3://bucket/prefix')),
  ),
  BACKUP_TO_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^age1[02-9ac-hj-np-z]{58}$/, 'must be a public key of age, such as age1…')),
  ),
  BACKUP_KEEP: v.optional(
    readBy<BackupsKept>(readKept, 'must be as 7 daily 4 weekly 12 monthly, with at least 1 daily'),
    '7 daily 4 weekly 12 monthly',
  ),
};

type BackupEnvironment = v.InferOutput<v.ObjectSchema<typeof backupVariables, undefined>>;

function isPlace(address: string): boolean {
  return isAbsolute(address) || readBucketAddress(address) !== null;
}

export function backupProblems(env: BackupEnvironment & { readonly S3_BUCKET?: string | undefined }): string[] {
  const { BACKUP_SCHEDULE: schedule, BACKUP_TO: to, S3_BUCKET: bucket } = env;
  if (schedule !== undefined && to === undefined) {
    return ['BACKUP_TO is missing: BACKUP_SCHEDULE needs the place for the backups.'];
  }
  if (to === undefined || bucket === undefined || readBucketAddress(to)?.bucket !== bucket) return [];
  return ['BACKUP_TO must be another bucket than S3_BUCKET, where the service removes files that it does not know.'];
}

/** Null where the service makes none by itself. */
export function backupSettings(env: BackupEnvironment): BackupSettings | null {
  const { BACKUP_SCHEDULE: schedule, BACKUP_TO: to } = env;
  if (schedule === undefined || to === undefined) return null;
  return {
    schedule,
    to,
    publicKey: env.BACKUP_TO_KEY ?? null,
    kept: env.BACKUP_KEEP,
  };
}

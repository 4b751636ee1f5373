/** When the service backs up by itself: every hour, or every day at a time of its clock. */
export type BackupSchedule =
  | { readonly every: 'hour' }
  | { readonly every: 'day'; readonly hour: number; readonly minute: number };

const HOURLY = 'hourly';
const DAILY = /^daily ([01]\d|2[0-3]):([0-5]\d)$/;

/** Returns null for another text than `hourly` and, for instance, `daily 03:30`. */
export function readSchedule(text: string): BackupSchedule | null {
  if (text === HOURLY) return { every: 'hour' };
  const [, hour, minute] = DAILY.exec(text) ?? [];
  return hour === undefined || minute === undefined
    ? null
    : { every: 'day', hour: Number(hour), minute: Number(minute) };
}

/**
 * Returns the latest time at which a backup was due, by the clock of this process (`TZ`). In a night in which that time
 * does not exist, it is due an hour later.
 */
export function lastDue(schedule: BackupSchedule, now: Date): Date {
  const due = new Date(now);
  if (schedule.every === 'hour') {
    due.setMinutes(0, 0, 0);
    return due;
  }
  due.setHours(schedule.hour, schedule.minute, 0, 0);
  if (due > now) {
    due.setDate(due.getDate() - 1);
    due.setHours(schedule.hour, schedule.minute, 0, 0);
  }
  return due;
}

import type { Config } from '#server/config.ts';

const DAY_MS = 86_400_000;

/**
 * Returns when a session ends that is used at `at` (milliseconds since the epoch) and not again: after
 * `sessionInactivityDays`, and never later than `sessionTimeboxDays` after it began.
 */
export function endOfSession(
  { sessionInactivityDays, sessionTimeboxDays }: Pick<Config, 'sessionInactivityDays' | 'sessionTimeboxDays'>,
  { at, beganAt }: { readonly at: number; readonly beganAt: number },
): Date {
  const unused = at + sessionInactivityDays * DAY_MS;
  const most = sessionTimeboxDays === 0 ? Number.POSITIVE_INFINITY : beganAt + sessionTimeboxDays * DAY_MS;
  return new Date(Math.min(unused, most));
}

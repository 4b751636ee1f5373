import { DatabaseSilent } from './is-database-unavailable.ts';

/** A response may have arrived while this process was busy, and is then read after the timer has fired. */
const LAST_LOOK_MS = 100;

/**
 * Returns the result of a database call that completes within `ms`. A later call continues and ends by its own
 * timeouts.
 *
 * @throws DatabaseSilent
 */
export async function inTime<Result>(call: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => reject(new DatabaseSilent('PostgreSQL did not respond in time.')), LAST_LOOK_MS);
    }, ms);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

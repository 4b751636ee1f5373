import { DatabaseSilent } from './is-database-unavailable.ts';

/** A response may have arrived while this process was held up, and be read after the clock was. */
const LAST_LOOK_MS = 100;

/**
 * The outcome of a call to the database, where it comes within so many milliseconds. The call itself goes on, and ends by
 * its own time limits.
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

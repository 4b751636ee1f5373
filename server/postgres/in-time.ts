import { DatabaseSilent } from './is-database-unavailable.ts';

/** A response may have arrived while this process was busy, and is then read after the timer has fired. */
const LAST_LOOK_MS = 100;

/**
 * Returns the result of a database call that completes within `ms`. A later call continues and ends by its own
 * timeouts.
 *
 * @throws DatabaseSilent
 */
export function inTime<Result>(call: Promise<Result>, ms: number): Promise<Result> {
  // A single promise: `Promise.race` and an async function would make five more for each finder's page.
  return new Promise((resolve, reject) => {
    let timer = setTimeout(() => {
      timer = setTimeout(() => reject(new DatabaseSilent('PostgreSQL did not respond in time.')), LAST_LOOK_MS);
    }, ms);
    call.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

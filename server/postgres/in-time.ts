import { DatabaseSilent } from './is-database-unavailable.ts';

/** A response may have arrived while this process was busy, and is then read after the timer has fired. */
const LAST_LOOK_MS = 100;

/** Calls `onLate` after `ms`, unless the returned function is called before. */
function startTimer(ms: number, onLate: (error: DatabaseSilent) => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(() => onLate(new DatabaseSilent('PostgreSQL did not respond in time.')), LAST_LOOK_MS);
  }, ms);
  return () => clearTimeout(timer);
}

/**
 * Returns the result of a database call that completes within `ms`. A later call continues and ends by its own
 * timeouts.
 *
 * @throws DatabaseSilent
 */
export function inTime<Result>(call: Promise<Result>, ms: number): Promise<Result> {
  // A single promise: `Promise.race` and an async function would make five more for each finder's page.
  return new Promise((resolve, reject) => {
    const stop = startTimer(ms, reject);
    call.then(
      (result) => {
        stop();
        resolve(result);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

/** Runs work that waits for others than the database. It does not count, and the time begins anew after it. */
export type Untimed = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Returns the result of work that takes at most `ms`, but for what it does `untimed`. Later work continues and ends by
 * its own timeouts.
 *
 * @throws DatabaseSilent
 */
export function workInTime<Result>(work: (untimed: Untimed) => Promise<Result>, ms: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    let stop = startTimer(ms, reject);
    const untimed: Untimed = async (part) => {
      stop();
      try {
        return await part();
      } finally {
        stop = startTimer(ms, reject);
      }
    };
    work(untimed)
      .then(resolve, reject)
      .finally(() => stop());
  });
}

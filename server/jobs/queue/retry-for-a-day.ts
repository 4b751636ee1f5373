import type { Task } from 'graphile-worker';
import type { Database } from '#server/postgres/database.ts';
import { JobTakenOver } from './own-job.ts';

/** The queue waits for e, e², … seconds, and from the tenth time on for six hours: the 13th attempt is at 22 hours. */
const MOST_ATTEMPTS = 13;

/**
 * Ends the attempts of a failing job of a task a day after the first: once 13 have failed, one more follows, two hours later,
 * however many the job was queued with.
 */
export function retryForADay(database: Pick<Database, 'asOwner'>, work: Task): Task {
  return async (payload, queue) => {
    try {
      await work(payload, queue);
    } catch (error) {
      const { id, key, task_identifier: name, attempts } = queue.job;
      if (attempts >= MOST_ATTEMPTS && !(error instanceof JobTakenOver)) {
        await database.asOwner({
          name: 'queue_last_attempt',
          // A job that was queued under the key while this one ran has attempts of its own.
          text: `select graphile_worker.add_job($1, $2::json, job_key := $3, max_attempts := 1,
              run_at := now() + interval '2 hours')
            where not exists (select from graphile_worker.jobs where key = $3 and id <> $4)`,
          values: [name, JSON.stringify(payload), key, id],
        });
      }
      throw error;
    }
  };
}

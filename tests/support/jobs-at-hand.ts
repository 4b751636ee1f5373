import type { TestDatabase } from './test-database.ts';

/** The queue without what runs every few hours, and what waits for messages or replies to stay unseen for a while. */
export const JOBS_AT_HAND =
  "from graphile_worker.jobs where task_identifier not in ('sweep_storage', 'purge_expired', 'notify_of_unseen', 'notify_second_contact', 'send_void_mail', 'notify_finder_of_reply')";

/** Returns the jobs that a test waits for: an empty list once the service has done what was enqueued. */
export function jobsAtHand(database: Pick<TestDatabase, 'query'>): Promise<{ readonly task: string }[]> {
  return database.query(`select task_identifier as task ${JOBS_AT_HAND}`);
}

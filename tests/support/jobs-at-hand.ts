import type { TestDatabase } from './test-database.ts';

/**
 * The queue without what runs every few hours, and what waits for a while: for messages or replies that stay unseen, and
 * for more changes that one notice tells of.
 */
export const JOBS_AT_HAND =
  "from graphile_worker.jobs where task_identifier not in ('sweep_storage', 'purge_expired', 'notify_of_unseen', 'notify_of_unseen_by_sms', 'notify_second_contact', 'notify_second_contact_by_sms', 'send_void_mail', 'send_change_notice', 'send_change_notice_by_sms', 'notify_finder_of_reply')";

/** Returns the jobs that a test waits for: an empty list once the service has done what was enqueued. */
export function jobsAtHand(database: Pick<TestDatabase, 'query'>): Promise<{ readonly task: string }[]> {
  return database.query(`select task_identifier as task ${JOBS_AT_HAND}`);
}

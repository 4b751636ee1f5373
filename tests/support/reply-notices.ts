import { expect } from 'vitest';
import type { TestDatabase } from './test-database.ts';

const WAITING = `from graphile_worker.jobs
  where task_identifier in ('notify_finder_of_reply', 'prove_finder_address') and attempts < max_attempts`;

/**
 * Lets the minute pass that emails about replies wait, and waits until a server has sent what finders are sent; `options`
 * are those of the poll.
 */
export async function sendFinderEmails(
  database: TestDatabase,
  options: { readonly timeout?: number } = {},
): Promise<void> {
  await database.query(`select graphile_worker.reschedule_jobs(array(select id ${WAITING}), now())`);
  // The queue announces new jobs only; the others wait until it looks for them.
  await database.query(`select pg_notify('jobs:insert', '{"r":"0","count":1}')`);
  await expect.poll(() => database.query(`select task_identifier ${WAITING}`), options).toEqual([]);
}

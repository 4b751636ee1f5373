import { expect } from 'vitest';
import type { TestDatabase } from '#tests/support/test-database.ts';

const KINDS = {
  push: { table: 'public.push_subscriptions', task: 'send_push' },
  notice: { table: 'public.notice_addresses', task: 'send_notice' },
} as const;

/**
 * As if so much time had passed that what has failed is tried again. Resolves once its jobs are due.
 *
 * First it waits until no job of the receiver runs: such a job would be queued anew afterwards, with its wait.
 */
export async function passTime(
  database: TestDatabase,
  kind: keyof typeof KINDS,
  { id }: { readonly id: string },
  by = '1 second',
): Promise<void> {
  const { table, task } = KINDS[kind];
  const key = `${task}:${id}:%`;
  await expect
    .poll(() =>
      database.query(
        `select job.key from graphile_worker.jobs as job join ${table} as receiver on receiver.id = $1
           where job.key like $2 and (job.locked_at is not null or job.run_at < receiver.retry_at)`,
        [id, key],
      ),
    )
    .toEqual([]);
  await database.query(
    `update ${table} set retry_at = now() - interval '1 second', failing_since = failing_since - $2::interval
       where id = $1`,
    [id, by],
  );
  await database.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key like $1), now())`,
    [key],
  );
}

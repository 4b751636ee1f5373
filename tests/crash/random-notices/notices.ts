import { expect } from 'vitest';
import type { TestItem } from '#tests/support/factories/create-item.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';

/** How often a receiver fails while messages are sent. */
export const FAILURES = 0.3;
/**
 * How many notices are sent again after a kill, on average at most: those that were accepted and not yet recorded. A process
 * has some twenty jobs under way (`server/jobs/tasks.ts`), and nearly all of that time they wait for a receiver.
 */
export const AGAIN_AFTER_A_KILL = 2;

export const FIRST_STEPS = ['notify_owner_of_message', 'send_push', 'send_notice'] as const;
export const LATER_STEPS = ['notify_of_unseen', 'notify_of_unseen_by_sms', 'notify_second_contact'] as const;

/** What ends notices. */
export type Act = 'reads' | 'mutes' | 'deletes' | 'returns';

/** Does what ends the notices of an item. */
export async function doAct(database: TestDatabase, act: Act | null, { id }: TestItem): Promise<void> {
  if (act === 'reads') await database.query('update public.messages set read_at = now() where item_id = $1', [id]);
  if (act === 'mutes')
    await database.query('update public.conversations set muted_at = now() where item_id = $1', [id]);
  if (act === 'returns')
    await database.query('update public.conversations set returned_at = now() where item_id = $1', [id]);
  if (act === 'deletes') await database.query('delete from public.items where id = $1', [id]);
}

/** Ends the waits of what is tried again, until none of these tasks is left. */
export async function everyNoticeIsDone(database: TestDatabase, tasks: readonly string[]): Promise<void> {
  const waiting = `select id from graphile_worker.jobs
    where task_identifier = any ($1)
      -- Not one that queued its successor before its server was killed.
      and attempts < max_attempts`;
  const hurry = async () => {
    await database.query('update public.push_subscriptions set retry_at = null, failures = 0, failing_since = null');
    await database.query('update public.notice_addresses set retry_at = null, failures = 0, failing_since = null');
    await database.query(
      `select graphile_worker.reschedule_jobs(array(${waiting} and run_at > now() and locked_at is null), run_at := now())`,
      [tasks],
    );
    return database.query(waiting, [tasks]);
  };
  await expect.poll(hurry, { timeout: 120_000, interval: 500 }).toEqual([]);
}

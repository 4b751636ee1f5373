import { expect } from 'vitest';
import type { TestDatabase } from './test-database.ts';

/**
 * Begins an action while the caller holds locks in a transaction of its own. Resolves once the action waits for a lock
 * or is done, with what it comes to; so the transaction can end in the middle of it. Jobs that look at the same rows
 * must be done before.
 *
 * @param statement - A pattern (LIKE) of the statement that waits.
 */
export async function beginUntilLocked<Result>(
  database: Pick<TestDatabase, 'query'>,
  action: () => PromiseLike<Result>,
  statement = '%',
): Promise<{ readonly outcome: Promise<Result> }> {
  let isDone = false;
  const outcome = Promise.resolve(action()).finally(() => {
    isDone = true;
  });
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like $1`;
  const hasComeFarEnough = async () => isDone || (await database.query(waiting, [statement])).length > 0;
  await expect.poll(hasComeFarEnough, { interval: 20 }).toBe(true);
  return { outcome };
}

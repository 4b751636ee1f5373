import type { Database } from '#server/postgres/database.ts';

interface Step {
  /** The first message that the owner has not seen. */
  readonly messageId: string;
  /** Null where no SMS to the owner comes before the step. */
  readonly conversationId: string | null;
  /** Whether this step is an email or an SMS. */
  readonly way: 'email' | 'sms';
}

/** In how many seconds a step looks again whether the one before it has been taken. */
const AGAIN_SECONDS = 60;

/**
 * Returns in how many seconds a step looks again, 0 where none before it is still to come. After an outage the first notice
 * and all later steps are due at once. Where an earlier one has not been tried, this one waits. So it does where both need
 * the same mail server or provider, which is back perhaps: then the earlier one is tried again now, so that it is first.
 * Where that has just failed, the owner cannot be reached this way, and this step is taken.
 */
export async function waitForEarlierStep(
  database: Pick<Database, 'asOwner'>,
  { messageId, conversationId, way }: Step,
): Promise<number> {
  const { rows } = await database.asOwner<{ waits: boolean }>({
    name: 'earlier_steps',
    text: `with earlier as materialized (
        select id, attempts, locked_at is not null as is_running, run_at,
          -- The queue waits for e, e², … seconds after an attempt.
          run_at - exp(least(attempts, 10)) * interval '1 second' as tried_at,
          key like 'notify_owner_of_message:%' = ($3 = 'email') as is_same_way
        from graphile_worker.jobs
        where key in ('notify_owner_of_message:' || $1, 'notify_of_unseen:sms:' || $2)
          and (attempts < max_attempts or locked_at is not null)
      ), again as (
        select graphile_worker.reschedule_jobs(array[id], now(), attempts => attempts - 1)
          from earlier where is_same_way and not is_running and attempts > 0 and tried_at < now() - interval '2 minutes'
      )
      select exists (select from again) or exists (
        select from earlier where is_running or attempts = 0 and run_at <= now()
      ) as waits`,
    values: [messageId, conversationId, way],
  });
  return rows[0]?.waits === true ? AGAIN_SECONDS : 0;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { TestItem } from './factories/create-item.ts';
import type { TestDatabase } from './test-database.ts';

const STEPS_OF_ITEM = `select jobs.id, jobs.run_at, conversation.step from graphile_worker.jobs as jobs
  join (
    select 'notify_of_unseen:' || step || ':' || id as key, step
      from public.conversations, (values ('sms'), ('reminder')) as steps (step) where item_id = $1
  ) as conversation on conversation.key = jobs.key`;

/** The steps that wait for an item's messages to stay unseen, and in how many minutes each runs. */
export async function stepsOf(database: TestDatabase, item: TestItem): Promise<{ step: string; minutes: number }[]> {
  return database.query(
    `select step, round(extract(epoch from run_at - now()) / 60)::integer as minutes
       from (${STEPS_OF_ITEM}) as steps order by run_at`,
    [item.id],
  );
}

const FIRST_NOTICES = `select from graphile_worker.jobs as jobs
  join public.messages as message on jobs.key = 'notify_owner_of_message:' || message.id
  where message.item_id = $1 and (jobs.attempts = 0 or jobs.locked_at is not null) and jobs.run_at <= now()`;

/**
 * Moves an item's messages, what was sent about them, and their waiting steps into the past, once their first notices have
 * been tried: no step is taken before.
 */
export async function letTimePass(
  database: Pick<TestDatabase, 'query'>,
  item: Pick<TestItem, 'id'>,
  interval: string,
): Promise<void> {
  // Browser tests call this too, so it waits without the test runner, which ends a test that waits too long.
  while ((await database.query(FIRST_NOTICES, [item.id])).length > 0) await delay(20);
  await database.query(
    `update public.conversations
       set texted_at = texted_at - $2::interval, reminded_at = reminded_at - $2::interval,
         contacted_at = contacted_at - $2::interval, delivered_at = delivered_at - $2::interval where item_id = $1`,
    [item.id, interval],
  );
  await database.query('update public.messages set created_at = created_at - $2::interval where item_id = $1', [
    item.id,
    interval,
  ]);
  await database.query(
    `select graphile_worker.reschedule_jobs(array[jobs.id], run_at - $2::interval) from graphile_worker.jobs as jobs
       join public.conversations as conversation
         on jobs.key ~ ('^notify_(of_unseen|second_contact):.*:' || conversation.id) where conversation.item_id = $1`,
    [item.id, interval],
  );
  await database.query(
    `update internal.contact_links as link set notified_at = notified_at - $2::interval
       from public.conversations as conversation where conversation.id = link.conversation_id and conversation.item_id = $1`,
    [item.id, interval],
  );
  // The queue announces new jobs only; the others wait until it looks for them.
  await database.query(`select pg_notify('jobs:insert', '{"r":"0","count":1}')`);
}

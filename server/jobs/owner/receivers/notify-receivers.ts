import type { AccountChange } from '#domain/account/account-changes.ts';
import type { Database } from '#server/postgres/database.ts';

interface MadeChange {
  readonly id: string;
  readonly kind: AccountChange;
  readonly user_id: string;
  readonly session_id: string | null;
  readonly at: string;
}

/** Queues what tells the browsers and notice addresses of an owner of a change, but not the browser that made it. */
export async function notifyReceivers(
  database: Pick<Database, 'asOwner'>,
  { id, kind, at, user_id: userId, session_id: sessionId }: MadeChange,
): Promise<void> {
  await database.asOwner({
    name: 'notify_receivers_of_change',
    text: `select graphile_worker.add_job(task,
        json_build_object(id_name, receiver, 'message_id', null, 'change', $2::json),
        job_key := task || ':' || receiver || ':' || $1, flags := case when not is_proved then array['unproved'] end)
      from (
        select 'send_push' as task, 'subscription_id' as id_name, id as receiver,
            delivered_at is not null and failures = 0 as is_proved
          from public.push_subscriptions
          where user_id = $3 and ended_at is null and session_id is distinct from $4
        union all
        select 'send_notice', 'address_id', id, delivered_at is not null and failures = 0
          from public.notice_addresses where user_id = $3 and ended_at is null
      ) as receivers`,
    values: [id, JSON.stringify({ id, kind, at }), userId, sessionId],
  });
}

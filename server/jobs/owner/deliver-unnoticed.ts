import { UNPROVED_NOTICES } from '#domain/contact/unproved-notices.ts';
import { markMessageDelivered } from '#server/conversations/mark-delivered.ts';
import type { Database } from '#server/postgres/database.ts';
import { scheduleDigest } from './message-digest.ts';
import { includesMessage, WANTS_PUSH } from './message-events.ts';

/** A message of which no notice leaves: of a muted conversation, or seen before one could leave. */
interface Unnoticed {
  readonly messageId: string;
  /** The email that another message would be, or null: the digest that it would wait for, where it would wait. */
  readonly mail: {
    readonly isProved: boolean;
    readonly digest: { readonly itemId: string; readonly day: string } | null;
  } | null;
}

interface Reach {
  /** Whether a webhook is told at once, or a browser or an ntfy address outside of quiet hours. */
  readonly is_reached: boolean;
  /** In how many seconds a browser or an ntfy address is told, after quiet hours; null where none waits. */
  readonly reached_in: number | null;
  /** Whether an unproved address has had all its notices, or one of this conversation within a day. */
  readonly has_had_notices: boolean;
}

/**
 * A muted finder does not learn of it, and one whose message was seen learns only at the full hour: the message is delivered
 * where and when the first notice of another one would leave, at once, after quiet hours, or with the digest of the day.
 */
export async function deliverUnnoticed(
  database: Pick<Database, 'asService' | 'asOwner'>,
  { messageId, mail }: Unnoticed,
): Promise<void> {
  const { rows } = await database.asService<Reach>({
    name: 'reach_of_unnoticed_message',
    text: `select reach.webhook or (reach.phone and quiet.seconds is null) as is_reached,
        case when reach.phone then quiet.seconds end as reached_in,
        exists (
          select from internal.unproved_notices as notice
            where notice.user_id = message.owner_id and notice.conversation_id = message.conversation_id
              and notice.sent_at > now() - interval '1 day'
        ) or (
          select count(distinct coalesce(notice.conversation_id, notice.message_id))
            from internal.unproved_notices as notice
            where notice.user_id = message.owner_id and notice.conversation_id is distinct from message.conversation_id
        ) >= ${UNPROVED_NOTICES} as has_had_notices
      from public.messages as message
      left join public.notice_settings as settings on settings.user_id = message.owner_id
      cross join lateral (
        select ceil(extract(epoch from internal.end_of_quiet_hours(
            settings.quiet_from, settings.quiet_to, settings.time_zone, now()) - now()))::integer as seconds
      ) as quiet
      cross join lateral (
        select exists (
            select from public.notice_addresses as address
              where address.user_id = message.owner_id and address.ended_at is null and address.kind = 'webhook'
                and ${includesMessage('address.gets')}
          ) as webhook,
          exists (
            select from public.notice_addresses as address
              where address.user_id = message.owner_id and address.ended_at is null and address.kind = 'ntfy'
                and ${includesMessage('address.gets')}
          ) or ${WANTS_PUSH} and exists (
            select from public.push_subscriptions as subscription
              where subscription.user_id = message.owner_id and subscription.ended_at is null
          ) as phone
      ) as reach
      where message.id = $1`,
    values: [messageId],
  });
  const [reach] = rows;
  if (reach === undefined) return;
  const isMailed = mail !== null && (mail.isProved || !reach.has_had_notices);
  if (reach.is_reached || (isMailed && mail.digest === null)) return markMessageDelivered(database, messageId);
  if (isMailed && mail.digest !== null) await scheduleDigest(database, mail.digest.itemId, mail.digest.day);
  if (reach.reached_in === null) return;
  await database.asOwner({
    name: 'deliver_unnoticed_later',
    text: `select graphile_worker.add_job('notify_owner_of_message', json_build_object('message_id', $1::text),
       job_key := 'notify_owner_of_message:' || $1, run_at := now() + make_interval(secs => $2))`,
    values: [messageId, reach.reached_in],
  });
}

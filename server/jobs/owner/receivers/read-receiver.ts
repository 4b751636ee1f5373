import { PHRASE_FIELDS } from '#server/conversations/phrase-fields.ts';
import { IS_SETTLED } from '#server/jobs/owner/unseen/unseen-messages.ts';
import type { ReceiverJob, ReceiverKind, ReceiverNeeds, ReceiverRow } from './receiver.ts';

/** How long a receiver that cannot be reached is tried, in hours. Then it has ended. */
const RETRIED_HOURS = 24;

/** Reads a receiver that has not ended, with the message where it is still to be told. */
export async function readReceiver<Row extends ReceiverRow>(
  { database }: ReceiverNeeds,
  { table, task, columns, joins, waitsInQuietHours }: ReceiverKind<Row>,
  { receiverId, messageId }: ReceiverJob,
): Promise<Row | undefined> {
  const { rows } = await database.asService<Row>({
    name: `receiver_of_${task}`,
    text: `select receiver.id, receiver.user_id, receiver.failures,
        receiver.delivered_at is not null and receiver.failures = 0 as is_proved,
        ${columns},
        coalesce(ceil(extract(epoch from receiver.retry_at - now())), 0)::integer as wait_seconds,
        coalesce(receiver.failing_since < now() - make_interval(hours => $3)
          and receiver.retry_at > now() - make_interval(hours => $3), false) as has_failed_too_long,
        coalesce(receiver.retry_at < now() - make_interval(hours => $3), false) as was_idle,
        coalesce(ceil(extract(epoch from internal.end_of_quiet_hours(
          quiet.quiet_from, quiet.quiet_to, quiet.time_zone, now()) - now())), 0)::integer as quiet_for,
        (
          select count(*)::integer from (
            select from public.messages as other
              where other.owner_id = receiver.user_id and other.sender = 'finder' and other.read_at is null
              limit 999
          ) as others
        ) as unread,
        message.body, message.kind as message_kind, message.place, message.created_at as sent_at,
        (select language from public.profiles where id = account.id) as language,
        ${PHRASE_FIELDS}, settings.time_zone as owner_zone, message.conversation_id,
        message.item_id, item.qr_id, item.item_name,
        not exists (
          select from public.messages as other
            where other.conversation_id = message.conversation_id
              and (other.created_at, other.id) < (message.created_at, message.id)
        ) as is_first,
        exists (
          select from public.messages as reply
            where reply.conversation_id = message.conversation_id and reply.sender = 'owner'
              and reply.created_at < message.created_at
        ) as owner_has_replied
      from ${table} as receiver
      join auth.users as account on account.id = receiver.user_id and account.deleted_at is null
      ${joins}
      left join public.notice_settings as settings on settings.user_id = receiver.user_id
      left join public.notice_settings as quiet
        on quiet.user_id = receiver.user_id and quiet.quiet_from is not null and ${waitsInQuietHours}
      left join public.messages as message
        on message.id = $2 and message.owner_id = receiver.user_id and not ${IS_SETTLED}
          and not internal.is_muted(message.conversation_id)
          -- It may have waited for less than a day before it was tried.
          and message.created_at > now() - make_interval(hours => case when quiet.quiet_from is null then $3 else 2 * $3 end)
          and not (
            internal.end_of_quiet_hours(
              quiet.quiet_from, quiet.quiet_to, quiet.time_zone, message.created_at) is not null
            and exists (
              select from public.messages as later
                where later.conversation_id = message.conversation_id and later.sender = 'finder'
                  and later.read_at is null and (later.created_at, later.id) > (message.created_at, message.id)
            )
          )
      left join public.items as item on item.id = message.item_id
      where receiver.id = $1 and receiver.ended_at is null`,
    values: [receiverId, messageId, RETRIED_HOURS],
  });
  return rows[0];
}

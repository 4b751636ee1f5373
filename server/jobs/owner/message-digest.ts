import * as v from 'valibot';
import { composeMail } from '#domain/texts/letters/compose-mail.ts';
import { markDayDelivered } from '#server/conversations/mark-delivered.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { sendFromJob } from '#server/jobs/sending/send-from-job.ts';
import { ownerLetters } from '#server/languages/letter-language.ts';
import type { Database } from '#server/postgres/database.ts';
import { IS_SETTLED } from './unseen/unseen-messages.ts';

/** The payload of jobs queued by `scheduleDigest`. */
export const messageDigestPayload = v.object({
  item_id: v.pipe(v.string(), v.uuid()),
  /** A day in UTC. */
  day: v.pipe(v.string(), v.isoDate()),
});

/** Schedules one digest of an item's messages for the end of the day (UTC), however often it is called. */
export async function scheduleDigest(database: Pick<Database, 'asOwner'>, itemId: string, day: string): Promise<void> {
  await database.asOwner({
    name: 'schedule_message_digest',
    text: `select graphile_worker.add_job('send_message_digest', json_build_object('item_id', $1::text, 'day', $2::text),
       job_key := 'send_message_digest:' || $1 || ':' || $2, job_key_mode := 'preserve_run_at',
       run_at := ($2::date + 1)::timestamp at time zone 'UTC')`,
    values: [itemId, day],
  });
}

/**
 * Mails an owner how many messages of a day about one item are unread. Sends nothing where all are read, replied to, or
 * of muted or returned conversations, the address is not proved, or the item was given away: its finders no longer wait for
 * this owner. Those of muted conversations are delivered all the same.
 */
export async function sendMessageDigest(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'sent' | 'config' | 'limits'>,
  { item_id: itemId, day }: v.InferOutput<typeof messageDigestPayload>,
): Promise<void> {
  const { database, config } = needs;
  const { rows } = await database.asService<{
    owner_id: string;
    email: string;
    qr_id: string;
    item_name: string;
    unread: number;
    has_muted: boolean;
    language: string | null;
  }>({
    name: 'messages_for_digest',
    text: `select account.id as owner_id, account.email, item.qr_id, item.item_name, waiting.unread, waiting.has_muted,
        (select language from public.profiles where id = account.id) as language
      from public.items as item
      cross join lateral (
        select (count(*) filter (where not internal.is_muted(message.conversation_id)))::integer as unread,
          coalesce(bool_or(internal.is_muted(message.conversation_id)), false) as has_muted
        from public.messages as message
          where message.item_id = item.id and message.sender = 'finder' and message.read_at is null and not ${IS_SETTLED}
            and message.created_at >= $2::timestamptz and message.created_at < $2::timestamptz + interval '1 day'
      ) as waiting
      join auth.users as account on account.id = item.user_id and account.deleted_at is null
      where item.id = $1 and item.given_at is null and account.email is not null and account.email_confirmed_at is not null`,
    values: [itemId, `${day}T00:00:00Z`],
  });
  const [found] = rows;
  if (found === undefined) return;
  if (found.unread === 0) return found.has_muted ? markDayDelivered(database, itemId, day) : undefined;
  const key = `messages:${itemId}:${day}`;
  // It was accepted before a crash, or the notices of a later day ask for it again.
  if (await needs.sent.has(key)) return markDayDelivered(database, itemId, day);
  const counter = ['unseen_notices_per_owner', `${found.owner_id} digests`] as const;
  if (!(await needs.limits.take(...counter)).allowed) return;
  const { productName, publicUrl } = config;
  const link = `${publicUrl}/item/${encodeURIComponent(found.qr_id)}`;
  const { language, texts } = await ownerLetters(config, found.language);
  const content = texts.messageDigest({
    productName,
    itemName: found.item_name,
    count: found.unread,
    link,
  });
  try {
    await sendFromJob(needs, {
      to: found.email,
      ...composeMail(content, productName, language),
      key,
    });
  } catch (error) {
    await needs.limits.giveBack(...counter);
    throw error;
  }
  await markDayDelivered(database, itemId, day);
}

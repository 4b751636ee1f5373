import * as v from 'valibot';
import { composeMail } from '#domain/messages/compose-mail.ts';
import { messageDigestEn } from '#domain/messages/notice-en.ts';
import type { Dependencies } from '#server/dependencies.ts';
import type { Database } from '#server/postgres/database.ts';
import { sendFromJob } from './send-from-job.ts';

/** What `scheduleDigest` puts into the queue. */
export const messageDigestPayload = v.object({
  item_id: v.pipe(v.string(), v.uuid()),
  /** A day of UTC. */
  day: v.pipe(v.string(), v.isoDate()),
});

/** Has one digest of an item's messages sent when that day (UTC) is over, however often it is asked for. */
export async function scheduleDigest(
  { ownerPool }: Pick<Database, 'ownerPool'>,
  itemId: string,
  day: string,
): Promise<void> {
  await ownerPool.query(
    `select graphile_worker.add_job('send_message_digest', json_build_object('item_id', $1::text, 'day', $2::text),
       job_key := 'send_message_digest:' || $1 || ':' || $2, job_key_mode := 'preserve_run_at',
       run_at := ($2::date + 1)::timestamp at time zone 'UTC')`,
    [itemId, day],
  );
}

/**
 * Tells an owner how many messages of that day about one item are unread. One who has read them all, or whose address is
 * not proved, gets none.
 */
export async function sendMessageDigest(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config'>,
  { item_id: itemId, day }: v.InferOutput<typeof messageDigestPayload>,
): Promise<void> {
  const { database, config } = needs;
  const { rows } = await database.asService<{ email: string; qr_id: string; item_name: string; unread: number }>({
    name: 'messages_for_digest',
    text: `select account.email, item.qr_id, item.item_name, (
          select count(*)::integer from public.messages as message
            where message.item_id = item.id and message.sender = 'finder' and message.read_at is null
              and message.created_at >= $2::timestamptz and message.created_at < $2::timestamptz + interval '1 day'
        ) as unread
      from public.items as item
      join auth.users as account on account.id = item.user_id and account.deleted_at is null
      where item.id = $1 and account.email is not null and account.email_confirmed_at is not null`,
    values: [itemId, `${day}T00:00:00Z`],
  });
  const [found] = rows;
  if (found === undefined || found.unread === 0) return;
  const { productName, publicUrl } = config;
  const link = `${publicUrl}/item/${encodeURIComponent(found.qr_id)}`;
  const content = messageDigestEn({ productName, itemName: found.item_name, count: found.unread, link });
  await sendFromJob(needs, {
    to: found.email,
    ...composeMail(content, productName),
    key: `messages:${itemId}:${day}`,
  });
}

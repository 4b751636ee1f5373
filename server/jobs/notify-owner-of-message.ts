import * as v from 'valibot';
import { composeMail, type MailContent } from '#domain/messages/compose-mail.ts';
import { messageNoticeEn, unprovedNoticeEn } from '#domain/messages/notice-en.ts';
import { makeAddressLinks } from '#server/delivery/address-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { countUnprovedNotice, UNPROVED_NOTICES } from './count-unproved-notice.ts';
import { scheduleDigest } from './message-digest.ts';
import { sendFromJob } from './send-from-job.ts';

/** What `internal.enqueue_message_notice` puts into the queue. */
export const messageNoticePayload = v.object({ message_id: v.pipe(v.string(), v.uuid()) });

/** Messages of a day (UTC) that an item's owner gets an e-mail each about; in an answered conversation, so many of it. */
const NOTICES_PER_DAY = 20;

interface Noticed {
  readonly item_id: string;
  /** How many came before it on its day, of those that are counted with it; no further than the cap. */
  readonly earlier: number;
  readonly day: string;
  readonly body: string;
  readonly qr_id: string;
  readonly item_name: string;
  readonly owner_id: string;
  readonly email: string | null;
  readonly is_proved: boolean;
}

/** SQL: how many finders' messages of its day came before the message, no further than the cap. */
const earlier = (together: string) => `(
        select count(*)::integer from (
          select from public.messages as other
            where ${together} and other.sender = 'finder' and other.created_at >= message.day
              and (other.created_at, other.id) < (message.created_at, message.id)
            limit ${NOTICES_PER_DAY}
        ) as others
      )`;

/**
 * Writes an owner the e-mail about one message. A message that is gone by now, or whose owner has no address, needs
 * none. After `NOTICES_PER_DAY` of a day the rest wait for one digest: a flood fills no mailbox, and no message is refused
 * for it. An unproved address gets a few notices, which hold nothing that a person typed, and is asked each time. The
 * delivery's key is the message, so that a job which is tried again after a crash sends no second one.
 * @throws an error that names no address and no text: it is kept with the job, and logged.
 */
export async function notifyOwnerOfMessage(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config' | 'secrets' | 'now'>,
  messageId: string,
): Promise<void> {
  const { database, config } = needs;
  const { rows } = await database.asService<Noticed>({
    name: 'message_to_notify_of',
    text: `with message as (
        select *, exists (
            select from public.messages as reply
              where reply.conversation_id = told.conversation_id and reply.sender = 'owner'
                and reply.created_at < told.created_at
          ) as is_answered,
          date_trunc('day', created_at) as day
        from public.messages as told where id = $1
      )
      select message.body, message.item_id, to_char(message.day, 'YYYY-MM-DD') as day,
        item.qr_id, item.item_name, message.owner_id,
        case when message.is_answered then ${earlier('other.conversation_id = message.conversation_id')}
          else ${earlier('other.item_id = message.item_id')} end as earlier,
        coalesce(account.email, account.claimed_email) as email, account.email is not null as is_proved
      from message
      join public.items as item on item.id = message.item_id
      join auth.users as account on account.id = message.owner_id and account.deleted_at is null`,
    values: [messageId],
  });
  const [message] = rows;
  if (message === undefined || message.email === null) return;
  const { owner_id: userId, email: address } = message;

  const { productName, publicUrl } = config;
  const send = (content: MailContent) =>
    sendFromJob(needs, { to: address, ...composeMail(content, productName), key: `message:${messageId}` });
  if (message.is_proved) {
    if (message.earlier >= NOTICES_PER_DAY) return scheduleDigest(database, message.item_id, message.day);
    const { item_name: itemName, body, qr_id: code } = message;
    const link = `${publicUrl}/item/${encodeURIComponent(code)}`;
    await send(messageNoticeEn({ productName, itemName, body, link }));
    return;
  }
  const count = await countUnprovedNotice(database, userId, messageId);
  if (count > UNPROVED_NOTICES) return;
  const links = await makeAddressLinks(needs, { userId, address });
  const isLast = count === UNPROVED_NOTICES;
  await send(unprovedNoticeEn({ productName, link: `${publicUrl}/dashboard`, ...links, isLast }));
}

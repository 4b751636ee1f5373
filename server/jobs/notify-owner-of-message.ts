import * as v from 'valibot';
import { composeMail } from '#domain/messages/compose-mail.ts';
import { messageNoticeEn } from '#domain/messages/notice-en.ts';
import { makeAddressLinks } from '#server/delivery/address-links.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { countUnprovedNotice, UNPROVED_NOTICES } from './count-unproved-notice.ts';
import { sendFromJob } from './send-from-job.ts';

/** What `internal.enqueue_message_notice` puts into the queue. */
export const messageNoticePayload = v.object({ message_id: v.pipe(v.string(), v.uuid()) });

interface Noticed {
  readonly body: string;
  readonly qr_id: string;
  readonly item_name: string;
  readonly owner_id: string;
  readonly email: string | null;
  readonly is_proved: boolean;
}

/**
 * Writes an owner the e-mail about one message. A message that is gone by now, or whose owner has no address, needs
 * none; an address that nobody has proved gets a few of them and is asked each time. The delivery's key is the
 * message, so that a job which is tried again after a crash sends no second one.
 * @throws an error that names no address and no text: it is kept with the job, and logged.
 */
export async function notifyOwnerOfMessage(
  needs: Pick<Dependencies, 'database' | 'delivery' | 'config' | 'secrets' | 'now'>,
  messageId: string,
): Promise<void> {
  const { database, config } = needs;
  const { rows } = await database.asService<Noticed>({
    name: 'message_to_notify_of',
    text: `select message.body, item.qr_id, item.item_name, message.owner_id,
        account.email, account.email_confirmed_at is not null as is_proved
      from public.messages as message
      join public.items as item on item.id = message.item_id
      join auth.users as account on account.id = message.owner_id and account.deleted_at is null
      where message.id = $1`,
    values: [messageId],
  });
  const [message] = rows;
  if (message === undefined || message.email === null) return;
  const { owner_id: userId, email: address } = message;

  const count = message.is_proved ? null : await countUnprovedNotice(database, userId, messageId);
  if (count !== null && count > UNPROVED_NOTICES) return;
  const question =
    count === null
      ? null
      : { ...(await makeAddressLinks(needs, { userId, address })), isLast: count === UNPROVED_NOTICES };
  const content = messageNoticeEn({
    productName: config.productName,
    itemName: message.item_name,
    body: message.body,
    link: `${config.publicUrl}/item/${encodeURIComponent(message.qr_id)}`,
    question,
  });
  const mail = composeMail(content, config.productName);
  await sendFromJob(needs, { to: address, ...mail, key: `message:${messageId}` });
}

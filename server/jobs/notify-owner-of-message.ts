import * as v from 'valibot';
import { composeMail, type MailContent } from '#domain/messages/compose-mail.ts';
import { messageNoticeEn, unprovedNoticeEn } from '#domain/messages/notice-en.ts';
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
 * none; an unproved address gets a few of them, which hold nothing that a person typed, and is asked each time. The
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

  const { productName, publicUrl } = config;
  const send = (content: MailContent) =>
    sendFromJob(needs, { to: address, ...composeMail(content, productName), key: `message:${messageId}` });
  if (message.is_proved) {
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

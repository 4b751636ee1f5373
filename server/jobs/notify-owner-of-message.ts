import { messageNoticeEn } from '#domain/messages/notice-en.ts';
import type { Dependencies } from '#server/dependencies.ts';

interface Noticed {
  readonly body: string;
  readonly qr_id: string;
  readonly item_name: string;
  readonly email: string | null;
}

/**
 * Writes an owner the e-mail about one message. A message that is gone by now, or whose owner has no address, needs
 * none. The delivery's key is the message, so that a job which is tried again after a crash sends no second one.
 * @throws an error that names no address and no text: it is kept with the job, and logged.
 */
export async function notifyOwnerOfMessage(
  { database, delivery, config }: Pick<Dependencies, 'database' | 'delivery' | 'config'>,
  messageId: string,
): Promise<void> {
  const { rows } = await database.asService<Noticed>({
    name: 'message_to_notify_of',
    text: `select message.body, item.qr_id, item.item_name, coalesce(profile.email, account.email) as email
      from public.messages as message
      join public.items as item on item.id = message.item_id
      join auth.users as account on account.id = message.owner_id and account.deleted_at is null
      left join public.profiles as profile on profile.id = account.id
      where message.id = $1`,
    values: [messageId],
  });
  const [message] = rows;
  if (message === undefined || message.email === null) return;
  const mail = messageNoticeEn({
    productName: config.productName,
    itemName: message.item_name,
    body: message.body,
    link: `${config.publicUrl}/item/${encodeURIComponent(message.qr_id)}`,
  });
  try {
    await delivery.sendEmail({ to: message.email, ...mail, key: `message:${messageId}` });
  } catch (error) {
    throw new Error(`The e-mail was not accepted${reasonOf(error)}.`);
  }
}

/** A mail server's own words often repeat the address; its codes do not. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const codes = [
    'code' in error && typeof error.code === 'string' ? error.code : '',
    'responseCode' in error && typeof error.responseCode === 'number' ? String(error.responseCode) : '',
  ].filter((code) => code !== '');
  return codes.length === 0 ? '' : ` (${codes.join(' ')})`;
}

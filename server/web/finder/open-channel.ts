import { type ContactChannel, callLink, emailLink, whatsAppLink } from '#domain/contact-links.ts';
import type { FoundItem } from '#domain/found-item.ts';
import { en } from '#domain/messages/en.ts';
import type { Database } from '#server/postgres/database.ts';

export interface OpenChannelOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly productName: string;
}

/**
 * The link behind a channel of an item, recorded as opened for its owner to see; null where the channel is closed.
 * The one place from which an owner's number or address leaves for somebody else.
 */
export async function openChannel(
  { database, productName }: OpenChannelOptions,
  code: string,
  item: FoundItem,
  channel: ContactChannel,
): Promise<string | null> {
  const { rows } = await database.asService<{ address: string | null }>({
    name: 'open_channel',
    text: 'select internal.open_channel($1, $2) as address',
    values: [code, channel],
  });
  const address = rows[0]?.address ?? null;
  if (address === null) return null;
  const { contact } = en;
  switch (channel) {
    case 'whatsapp':
      return whatsAppLink(address, contact.whatsAppText(item.item_name));
    case 'call':
      return callLink(address);
    case 'email':
      return emailLink(address, contact.emailSubject(productName), contact.emailBody(item.item_name));
  }
}

import { type ContactChannel, callLink, emailLink, whatsAppLink } from '#domain/contact-links.ts';
import { type FoundItem, givenName } from '#domain/found-item.ts';
import { en } from '#domain/messages/en.ts';
import type { Database } from '#server/postgres/database.ts';
import { repairOwnerProfile } from './repair-owner-profile.ts';

export interface OpenChannelOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly productName: string;
}

/** The link behind a channel, or why there is none, in words for the finder. */
export type OpenedChannel = { readonly href: string } | { readonly problem: string };

/**
 * The link behind a channel of an item, recorded as opened for its owner to see. The one place from which an owner's
 * number or address leaves for somebody else.
 */
export async function openChannel(
  { database, productName }: OpenChannelOptions,
  code: string,
  item: FoundItem,
  channel: ContactChannel,
): Promise<OpenedChannel> {
  const { rows } = await database.asService<{ address: string | null }>({
    name: 'open_channel',
    text: 'select internal.open_channel($1, $2) as address',
    values: [code, channel],
  });
  const address = rows[0]?.address ?? null;
  if (address === null) return { problem: await whyClosed(database, code, channel) };
  const { contact } = en;
  const itemName = givenName(item);
  switch (channel) {
    case 'whatsapp':
      return { href: whatsAppLink(address, contact.whatsAppText(itemName)) };
    case 'call':
      return { href: callLink(address) };
    case 'email':
      return { href: emailLink(address, contact.emailSubject(productName), contact.emailBody(itemName)) };
  }
}

interface OwnerDetails {
  readonly has_profile: boolean;
  readonly has_address: boolean;
}

/** The channel was open when the page was made. A profile that is missing by now is made again for the next try. */
async function whyClosed(
  database: Pick<Database, 'asService'>,
  code: string,
  channel: ContactChannel,
): Promise<string> {
  const { rows } = await database.asService<OwnerDetails>({
    name: 'why_channel_is_closed',
    text: `select profile.id is not null as has_profile,
             coalesce(profile.phone, profile.email) is not null as has_address
             from public.items as item
             left join public.profiles as profile on profile.id = item.user_id
             where item.qr_id = $1`,
    values: [code],
  });
  const [owner] = rows;
  if (owner === undefined) return en.ownerRetrieval.itemWithoutOwner;
  if (!owner.has_profile) {
    await repairOwnerProfile(database, code);
    return en.ownerRetrieval.profileNotFound;
  }
  if (!owner.has_address) return en.ownerRetrieval.withoutContact;
  return channel === 'email' ? en.finder.emailUnavailable : en.finder.phoneUnavailable;
}

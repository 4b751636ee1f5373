import { callLink, emailLink, whatsAppLink } from '#domain/contact/contact-links.ts';
import type { ExternalContactMethod } from '#domain/contact/contact-methods.ts';
import type { FinderTexts } from '#domain/finder-language.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { type FoundItem, givenName } from '#domain/item/found-item.ts';
import { nameForReader } from '#domain/texts/type-of-name.ts';
import type { Database } from '#server/postgres/database.ts';
import { repairOwnerProfile } from './repair-owner-profile.ts';

export interface OpenContactMethodOptions {
  readonly database: Pick<Database, 'asService'>;
  readonly productName: string;
  /** For prepared messages and refusals. */
  readonly texts: FinderTexts;
}

/** The link of a contact method, or why there is none, in words for the finder. */
export type OpenedContactMethod = { readonly href: string } | { readonly problem: string };

/**
 * Returns the link of an item's contact method, and records for the owner that it was opened. This is the only place
 * that discloses an owner's number or address to another person.
 */
export async function openContactMethod(
  { database, productName, texts }: OpenContactMethodOptions,
  code: string,
  item: FoundItem,
  channel: ExternalContactMethod,
): Promise<OpenedContactMethod> {
  const { rows } = await database.asService<{ address: string | null }>({
    name: 'open_channel',
    text: 'select internal.open_channel($1, $2) as address',
    values: [code, channel],
  });
  const address = rows[0]?.address ?? null;
  if (address === null) return { problem: await whyClosed(database, code, channel, texts) };
  const { contact } = texts;
  const name = givenName(item);
  const itemName = name && isolateName(nameForReader(name, texts.itemTypes));
  switch (channel) {
    case 'whatsapp':
      return {
        href: whatsAppLink(address, itemName === null ? contact.whatsAppText : contact.whatsAppTextNamed(itemName)),
      };
    case 'call':
      return { href: callLink(address) };
    case 'email':
      return {
        href: emailLink(
          address,
          contact.emailSubject(productName),
          itemName === null ? contact.emailBody : contact.emailBodyNamed(itemName),
        ),
      };
  }
}

interface OwnerDetails {
  readonly has_profile: boolean;
  readonly has_address: boolean;
}

/** The contact method was open when the page was served. A missing profile is recreated for the next attempt. */
async function whyClosed(
  database: Pick<Database, 'asService'>,
  code: string,
  channel: ExternalContactMethod,
  { finder, ownerRetrieval }: FinderTexts,
): Promise<string> {
  const { rows } = await database.asService<OwnerDetails>({
    name: 'why_channel_is_closed',
    text: `select profile.id is not null as has_profile,
             coalesce(profile.phone, profile.email) is not null as has_address
             from public.items as item
             left join public.profiles as profile on profile.id = item.user_id
             where item.qr_id = internal.own_code_of_item($1)`,
    values: [code],
  });
  const [owner] = rows;
  if (owner === undefined) return ownerRetrieval.itemWithoutOwner;
  if (!owner.has_profile) {
    await repairOwnerProfile(database, code);
    return ownerRetrieval.profileNotFound;
  }
  if (!owner.has_address) return ownerRetrieval.withoutContact;
  return channel === 'email' ? finder.emailUnavailable : finder.phoneUnavailable;
}

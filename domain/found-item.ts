import { type ItemType, isUnnamed } from './item-catalogue.ts';

/** The ways to reach an owner, and whether each is open for an item. */
export interface OpenChannels {
  readonly whatsapp: boolean;
  readonly call: boolean;
  readonly email: boolean;
  readonly message: boolean;
}

/** A way to reach an owner: outside of this service, or by anonymous message within. */
export type Channel = keyof OpenChannels;

/** Every way, in the order in which people are shown them. */
export const CHANNELS: readonly Channel[] = ['whatsapp', 'call', 'email', 'message'];

/** All that a finder may know of an item: what the database function `find_item` returns. */
export interface FoundItem {
  readonly item_type: ItemType;
  readonly item_name: string;
  readonly photo: string | null;
  readonly owner_first_name: string;
  readonly note_to_finders: string | null;
  readonly lost: boolean;
  readonly channels: OpenChannels;
}

/** The name that the owner gave the item, or null while it has the one from registration. Only this name is shown to a finder. */
export function givenName({ item_name }: Pick<FoundItem, 'item_name'>): string | null {
  return isUnnamed(item_name) ? null : item_name;
}

/** What holds for an item: its own setting of a way, or its owner's where it has none (null). */
export function openChannels(own: Readonly<Record<Channel, boolean | null>>, account: OpenChannels): OpenChannels {
  return {
    whatsapp: own.whatsapp ?? account.whatsapp,
    call: own.call ?? account.call,
    email: own.email ?? account.email,
    message: own.message ?? account.message,
  };
}

/** Whether a way is open that leaves this service: by WhatsApp, call or email. */
export function leadsOutside({ whatsapp, call, email }: OpenChannels): boolean {
  return whatsapp || call || email;
}

/** What a finder's page says about the channels as a whole. */
export type ContactState = 'all' | 'limited' | 'none';

/** `all` where every channel is open, `none` where not one is. */
export function contactState({ whatsapp, call, email, message }: OpenChannels): ContactState {
  const open = [whatsapp, call, email, message].filter(Boolean).length;
  return open === 4 ? 'all' : open === 0 ? 'none' : 'limited';
}

import type { OpenContactMethods } from '../contact/contact-methods.ts';
import { type ItemType, isUnnamed } from './item-catalogue.ts';

/** The name that `find_item` returns for an owner without one. */
export const DEFAULT_OWNER_NAME = 'Item Owner';

/** What a finder may know of an item: the result of the database function `find_item`. */
export interface FoundItem {
  readonly item_type: ItemType;
  readonly item_name: string;
  readonly photo: string | null;
  readonly owner_first_name: string;
  readonly note_to_finders: string | null;
  /** What the owner promises to the finder; null for nothing. */
  readonly reward: string | null;
  readonly lost: boolean;
  /**
   * Whether the owner has a phone number or an email address. An owner without either sees messages only in the app.
   */
  readonly has_contact_details: boolean;
  readonly channels: OpenContactMethods;
}

/**
 * Returns the name that the owner gave the item, or null while it has the default name. Finders see only a given name.
 */
export function givenName({ item_name }: Pick<FoundItem, 'item_name'>): string | null {
  return isUnnamed(item_name) ? null : item_name;
}

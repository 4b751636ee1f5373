/** What can be tagged, in the order in which it is offered (specification, section 3). */
export const ITEM_TYPES = [
  'bag',
  'backpack',
  'suitcase',
  'laptop',
  'phone',
  'charger',
  'headphones',
  'airpods',
  'keys',
  'wallet',
  'book',
  'umbrella',
  'watch',
  'glasses',
  'pen',
  'bottle',
  'battery',
  'bike',
  'pet',
  'baby',
] as const;

export type CatalogueItemType = (typeof ITEM_TYPES)[number];

/** A catalogue type, `custom` with a name of the owner's own, or `other` for what was tagged at registration. */
export type ItemType = CatalogueItemType | 'custom' | 'other';

/** The rows in which the types are shown: 8, 8 and the remaining 4. */
export const ITEM_TYPE_ROWS: readonly (readonly CatalogueItemType[])[] = [
  ITEM_TYPES.slice(0, 8),
  ITEM_TYPES.slice(8, 16),
  ITEM_TYPES.slice(16),
];

const KNOWN: ReadonlySet<string> = new Set<ItemType>([...ITEM_TYPES, 'custom', 'other']);

/** The name of an item that was tagged at registration, until its owner gives it another (specification, section 3). */
const DEFAULT_ITEM_NAME = 'My Tagged Item';

/** Whether the item still has the name that it got at registration. */
export function isUnnamed(itemName: string): boolean {
  return itemName === DEFAULT_ITEM_NAME;
}

/** Longest name of an item, in code points; the database holds the same bound. */
export const ITEM_NAME_LENGTH = 100;
/** Longest description of an item, in code points; the database holds the same bound. */
export const ITEM_DESCRIPTION_LENGTH = 1000;
/** Longest note to finders, in code points; the database holds the same bound. */
export const NOTE_TO_FINDERS_LENGTH = 250;

export function isItemType(text: string): text is ItemType {
  return KNOWN.has(text);
}

/** The types of items, in the order in which they are offered (specification, section 3). */
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

/** A catalogue type, `custom` with the owner's own name, or `other` for an item tagged at registration. */
export type ItemType = CatalogueItemType | 'custom' | 'other';

/** The rows of types: 8, 8 and the remaining 4. */
export const ITEM_TYPE_ROWS: readonly (readonly CatalogueItemType[])[] = [
  ITEM_TYPES.slice(0, 8),
  ITEM_TYPES.slice(8, 16),
  ITEM_TYPES.slice(16),
];

const KNOWN: ReadonlySet<string> = new Set<ItemType>([...ITEM_TYPES, 'custom', 'other']);

/** The name of an item tagged at registration, until its owner renames it (specification, section 3). */
const DEFAULT_ITEM_NAME = 'My Tagged Item';

/** Whether the item still has its default name. */
export function isUnnamed(itemName: string): boolean {
  return itemName === DEFAULT_ITEM_NAME;
}

/** The longest name of an item, in code points; the database enforces the same limit. */
export const ITEM_NAME_LENGTH = 100;
/** The longest description of an item, in code points; the database enforces the same limit. */
export const ITEM_DESCRIPTION_LENGTH = 1000;
/** The longest note to finders, in code points; the database enforces the same limit. */
export const NOTE_TO_FINDERS_LENGTH = 250;

/** The database allows the same number of characters for a reward. */
export const REWARD_LENGTH = 100;

export function isItemType(text: string): text is ItemType {
  return KNOWN.has(text);
}

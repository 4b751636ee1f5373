import type { CatalogueItemType } from '../item/item-catalogue.ts';
import { typeNames } from '../words/compiled/type-names.ts';
import type { SharedWords } from '../words/compiled/types.ts';

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(typeNames).flatMap(([type, names]) => names.map((name) => [name, type])),
);

/**
 * Returns the type whose name an item has, in any language of owners' screens, because its owner gave it no other; null for
 * any other name.
 */
export function typeOfName(itemName: string): CatalogueItemType | null {
  // The keys of the names are the types of the catalogue.
  return (TYPES.get(itemName) ?? null) as CatalogueItemType | null;
}

/** Returns the name of an item for a reader: that of its type is in the reader's language, any other as its owner wrote it. */
export function nameForReader(itemName: string, itemTypes: SharedWords['itemTypes']): string {
  const type = typeOfName(itemName);
  return type === null ? itemName : itemTypes[type];
}

import type { CatalogueItemType } from '../item/item-catalogue.ts';
import { shared } from '../words/compiled/en/shared.ts';

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(shared.itemTypes).map(([type, name]) => [name, type]),
);

/** Returns the type whose name an item has, because its owner gave it no other; null for any other name. */
export function typeOfName(itemName: string): CatalogueItemType | null {
  // The keys of the names are the types of the catalogue.
  return (TYPES.get(itemName) ?? null) as CatalogueItemType | null;
}

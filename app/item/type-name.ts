import type { ItemType } from '#domain/item/item-catalogue.ts';
import type { Texts } from '#domain/texts/screen-texts.ts';

/** Returns the name of a type. */
export function typeName(type: ItemType, { itemTypes, otherItemTypes }: Texts): string {
  return type === 'custom' || type === 'other' ? otherItemTypes[type] : itemTypes[type];
}

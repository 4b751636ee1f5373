import type { ItemType } from '#domain/item-catalogue.ts';
import type { Messages } from '#domain/messages/en.ts';

/** What a type is called. */
export function typeName(type: ItemType, { itemTypes, otherItemTypes }: Messages): string {
  return type === 'custom' || type === 'other' ? otherItemTypes[type] : itemTypes[type];
}

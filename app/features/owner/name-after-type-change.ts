import { typeName } from '#app/item/type-name.ts';
import { type ItemType, isUnnamed } from '#domain/item/item-catalogue.ts';
import type { Texts } from '#domain/texts/screen-texts.ts';

/**
 * Returns an item's name after a change of type: a name that was only the type's follows it, the owner's own name
 * stays.
 */
export function nameAfterTypeChange(name: string, from: ItemType, to: ItemType, texts: Texts): string {
  const isOwnName = !isUnnamed(name) && name !== typeName(from, texts);
  return isOwnName || to === 'custom' ? name : typeName(to, texts);
}

import { typeName } from '#app/lib/type-name.ts';
import { type ItemType, isUnnamed } from '#domain/item-catalogue.ts';
import type { Messages } from '#domain/messages/en.ts';

/** What an item is called when another type is chosen: a name that only said the type follows it, one of its own stays. */
export function nameAfterTypeChange(name: string, from: ItemType, to: ItemType, messages: Messages): string {
  const isOwnName = !isUnnamed(name) && name !== typeName(from, messages);
  return isOwnName || to === 'custom' ? name : typeName(to, messages);
}

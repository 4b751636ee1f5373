import { typeName } from '#app/lib/type-name.ts';
import type { ItemType } from '#domain/item-catalogue.ts';
import type { Messages } from '#domain/messages/en.ts';

/** The name that every item tagged at registration begins with (specification, section 3). */
export const FIRST_NAME = 'My Tagged Item';

/** What an item is called when another type is chosen: a name that only said the type follows it, one of its own stays. */
export function nameAfterTypeChange(name: string, from: ItemType, to: ItemType, messages: Messages): string {
  const isOwnName = name !== FIRST_NAME && name !== typeName(from, messages);
  return isOwnName || to === 'custom' ? name : typeName(to, messages);
}

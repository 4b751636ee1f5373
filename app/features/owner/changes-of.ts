import type { Item, ItemChange } from '#app/lib/items.ts';

type Edited = Pick<Item, 'itemType' | 'itemName' | 'description' | 'noteToFinders'>;

/** What an owner has changed of an item since the form was opened. The rest may have been changed elsewhere meanwhile. */
export function changesOf(before: Edited, now: Edited): ItemChange {
  return {
    ...(now.itemType !== before.itemType && { itemType: now.itemType }),
    ...(now.itemName !== before.itemName && { itemName: now.itemName }),
    ...(now.description !== before.description && { description: now.description }),
    ...(now.noteToFinders !== before.noteToFinders && { noteToFinders: now.noteToFinders }),
  };
}

import type { ContactOpening } from '#app/data/contact-methods.ts';
import type { Item } from '#app/data/items.ts';
import type { Message } from '#app/data/messages.ts';
import { isUnnamed } from '#domain/item/item-catalogue.ts';
import { isVisitSkipped } from './skipped-visit.ts';

interface Visited {
  readonly item: Item;
  readonly messages: readonly Message[];
  readonly openings: readonly ContactOpening[];
}

/** Whether the owner is asked what the item is. Something that was lost or found has more urgent things to say. */
export function isVisitDue({ item, messages, openings }: Visited): boolean {
  return (
    isUnnamed(item.itemName) &&
    item.lostAt === null &&
    messages.length === 0 &&
    openings.length === 0 &&
    !isVisitSkipped(item.id)
  );
}

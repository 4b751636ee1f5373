import type { Item } from '#app/lib/items.ts';

/** Where the conversations about an item are. */
export function threadsPath({ qrId }: Pick<Item, 'qrId'>): string {
  return `/item/${qrId}#messages`;
}

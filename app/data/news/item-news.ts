import type { DataClient } from '#app/client/data-client.ts';

/**
 * Returns the number of unread messages from finders to the signed-in owner, by item, the
 * item with the newest of them first. Throws the data service's error.
 */
export async function countUnread(client: DataClient): Promise<ReadonlyMap<string, number>> {
  const { data, error } = await client.rpc('count_unread', undefined, { get: true });
  if (error) throw error;
  // The function returns an object of counts.
  const counts: Readonly<Record<string, number>> = data;
  return new Map(Object.entries(counts));
}

/** What is new about the owner's items. */
export interface ItemNews {
  /** Unread messages by item id, the item with the newest of them first. */
  readonly unread: ReadonlyMap<string, number>;
  /** Ids of the items with a finder who waits for a reply. */
  readonly waiting: ReadonlySet<string>;
}

/** Returns what is new about the signed-in owner's items. Throws the data service's error. */
export async function loadItemNews(client: DataClient): Promise<ItemNews> {
  const { data, error } = await client.rpc('item_news', undefined, { get: true });
  if (error) throw error;
  // The function returns an object of this form.
  const { unread, waiting }: { unread: Readonly<Record<string, number>>; waiting: readonly string[] } = data;
  return { unread: new Map(Object.entries(unread)), waiting: new Set(waiting) };
}

/** Confirms that a screen shows the unread messages: their finders read that they are delivered. Throws the service's error. */
export async function confirmDelivery(client: DataClient): Promise<void> {
  const { error } = await client.rpc('confirm_delivery');
  if (error) throw error;
}
